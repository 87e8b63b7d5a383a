/// Feeds frames and buttons to `PressRecognizer` and collects what the presses result in.
///
/// Its buffers are kept from frame to frame, so that a frame allocates nothing.
struct PressTracker: Sendable {
  private var presses = PressRecognizer()
  private var touches: [PressRecognizer.Touch] = []
  /// What the presses result in; empty between two inputs.
  private(set) var outcomes: [PressRecognizer.Outcome] = []

  /// Whether a press of added force is past the threshold, so that the axis does not show the load.
  var distortsLoad: Bool { @inline(__always) get { presses.distortsLoad } }

  /// Whether there is no press and nothing to report.
  var isQuiet: Bool { @inline(__always) get { presses.isQuiet } }

  /// Whether a reading without a press concerns `settle`: force can be added to a load that is or was at rest.
  @inline(__always) func needsReading(isStable: Bool, limit: Grams?) -> Bool {
    !presses.isQuiet || limit != nil && (isStable || presses.rest != nil || presses.overdue != nil)
  }

  /// Whether the pad signals a press.
  var isSignalled: Bool { presses.shown != .ended }

  /// Whether a frame without contacts in zones concerns the presses in zones.
  var followsZones: Bool { @inline(__always) get { presses.followsZones } }

  /// The request to act that a press is meant for if it begins now.
  var pairing: UInt64? {
    get { presses.pairing }
    set { presses.pairing = newValue }
  }

  /// When the presses next need `advance`, if nothing happens before.
  func nextDeadline(_ confirm: ScaleSettings.Confirm, interval: Interval) -> Instant? {
    presses.nextDeadline(confirm, interval: interval)
  }

  /// Sets the newest weighings that are not voided, newest first, for the zone `history`.
  mutating func setWeighings(_ weighings: [RecordedWeighing]) { presses.weighings = weighings }

  // MARK: Inputs

  /// Evaluates the force on a pad where presses are added to the load.
  ///
  /// - Parameter counts: The force in counts; `nil` at the end of the axis.
  mutating func observe(force: Grams, counts: Double?, followsGap: Bool, _ context: PressRecognizer.Context) {
    if followsGap { presses.unload(.eventsLost, context, &outcomes) }
    presses.load(force, counts: counts, context, &outcomes)
  }

  /// Evaluates the contacts of a frame that are in zones.
  mutating func observe(_ frame: Frame, on pad: ConnectedPad, zones: Zones, _ context: PressRecognizer.Context) {
    touches.removeAll(keepingCapacity: true)
    for contact in frame.contacts {
      guard let zone = zones.zone(at: contact.origin) else { continue }
      touches.append(
        PressRecognizer.Touch(
          serial: contact.serial, zone: zone, position: contact.position,
          // At the end of its range the axis does not show the force.
          force: contact.isAtMaximum ? context.confirm.full : pad.calibration.mass(at: contact.raw),
          counts: contact.isAtMaximum ? nil : Double(contact.raw.counts)))
    }
    presses.touch(touches, followsGap: frame.followsGap, context, &outcomes)
  }

  /// Evaluates a change of a key or button.
  mutating func observe(_ change: ButtonChange, _ context: PressRecognizer.Context) {
    presses.change(change, context, &outcomes)
  }

  /// Evaluates a new reading.
  mutating func settle(_ context: PressRecognizer.Context) {
    if context.reading.state == .empty {
      presses.unload(.empty, context, &outcomes)
      presses.releaseOverdue(&outcomes)
    }
    presses.settle(context, &outcomes)
  }

  /// The first broken invariant of the presses; `nil` if all hold.
  var brokenInvariant: String? {
    outcomes.isEmpty ? presses.brokenInvariant : "outcomes are processed with their input"
  }

  /// Evaluates the time that has passed.
  mutating func advance(_ context: PressRecognizer.Context) { presses.advance(context, &outcomes) }

  /// Cancels the presses: the pad is gone, or the meaning of a press has changed. A confirmed and released press fires.
  mutating func cancel(_ failure: PressFailure, _ context: PressRecognizer.Context) {
    presses.freezeReleased(context)
    presses.cancel(failure, context, &outcomes)
    presses.unload(failure, context, &outcomes)
    presses.overdue = nil
  }

  /// Whether a press is on a control, whose last report has to be published when the service ends.
  var isControlled: Bool { @inline(__always) get { presses.isControlled } }

  /// Lets contacts in zones count again: the pad is gone, and with it its contacts.
  mutating func unblockZones() { presses.areZonesBlocked = false }

  /// Removes the outcomes once they are processed.
  mutating func removeOutcomes() { outcomes.removeAll(keepingCapacity: true) }
}
