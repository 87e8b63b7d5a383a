/// Timer, target, counting, containers and scanned labels: what is added to the readings, and what follows from them.
struct Instruments: Sendable {
  /// The containers that requests can name.
  var containers = ContainerList()
  /// The timer.
  var timer = FlowTimer()
  /// Whether there is a target.
  private(set) var hasTarget = false
  /// Whether pieces are counted.
  private(set) var isCounting = false
  /// Whether there is a target or pieces are counted.
  private var areInUse: Bool { hasTarget || isCounting }

  private var target: TargetMonitor?
  private var counter: PieceCounter?
  /// The scanned label for the next weighing; `nil` while none waits. It is not part of a reading, so that readings are copied without
  /// counting references.
  private(set) var label: PendingLabel? { didSet { isLabelChanged = true } }
  private var isLabelChanged = false
  /// Recognises known containers.
  private var arrival = LoadArrival()
  /// Records each load once.
  private var recordedArrival = LoadArrival()
  private var arrivalLimits = LoadArrival.Limits()
  /// Whether a frame has arrived since the pad was connected.
  private var hasFrame = false
  /// Within this distance of zero the last net was zero.
  private var zeroBand = Grams.zero

  /// Makes instruments that are not in use, with the containers of the configuration.
  init(_ containers: [Container]) { _ = self.containers.configure(containers) }

  // MARK: Requests

  /// Sets a target, or ends it.
  mutating func setTarget(
    _ new: Target?, _ reading: Reading, stopsAhead: Bool = false, dose: TargetProgress.DosePhase? = nil
  ) {
    target = new.map { TargetMonitor($0, reading: reading, stopsAhead: stopsAhead, dose: dose) }
    hasTarget = new != nil
  }

  /// Shows that the dose settles whose target this is.
  mutating func settleDose() { if target?.dose != nil { target?.dose = .settling } }

  /// Ends the target if it is that of a dose.
  mutating func endDose(_ reading: Reading) { if target?.dose != nil { setTarget(nil, reading) } }

  /// Starts counting, or ends it.
  mutating func setCounter(_ new: PieceCounter?) {
    counter = new
    isCounting = new != nil
  }

  /// Holds a label for the next weighing; replaces an earlier one.
  mutating func hold(_ new: PendingLabel) { label = new }

  /// Removes the label that waits; returns it.
  mutating func takeLabel() -> PendingLabel? {
    guard let waiting = label else { return nil }
    label = nil
    return waiting
  }

  /// Whether a label waits, or its end has to be reported.
  var isLabelInUse: Bool { @inline(__always) get { label != nil || isLabelChanged } }

  /// Lets the label expire; returns whether another one waits, or none, since the last call.
  mutating func updateLabel(at now: Instant) -> Bool {
    if let expiry = label?.expiry, expiry <= now { label = nil }
    guard isLabelChanged else { return false }
    isLabelChanged = false
    return true
  }

  // MARK: Readings

  /// Adds to a reading what is in use.
  ///
  /// - Parameters:
  ///   - container: The container whose tare is in force.
  ///   - common: The part of the uncertainty that is common to all masses.
  ///   - deviation: One standard deviation of the load, in grams; `nil` without a load.
  @inline(__always)
  mutating func complete(_ reading: inout Reading, _ container: ContainerName?, deviation: Double?, common: Grams) {
    (reading.timer, reading.pours) = (timer.elapsed(at: reading.time), timer.pours)
    if areInUse || container != nil { add(to: &reading, container, deviation: deviation ?? 0, common: common) }
  }

  private mutating func add(to reading: inout Reading, _ container: ContainerName?, deviation: Double, common: Grams) {
    zeroBand = Grams(max(reading.tare.division.step.value / 2, Plate.bandDeviations * deviation))
    reading.instruments = InstrumentReading(
      target: target?.progress(reading), count: counter?.count(reading, common: common), container: container)
  }

  /// When the target counts as reached if nothing changes, or the label expires; `nil` if neither does.
  var deadline: Instant? {
    @inline(__always) get {
      var earliest = EarliestInstant()
      if hasTarget { earliest.include(target?.deadline) }
      earliest.include(label?.expiry)
      return earliest.instant
    }
  }

  /// Sets what tells a load at rest from none, before a reading is observed.
  mutating func setArrivalLimits(_ limits: LoadArrival.Limits) { arrivalLimits = limits }

  /// The earliest one of `deadline`, those of loads that have not arrived yet, and another deadline.
  @inline(__always)
  func earlier(_ other: Instant?, after now: Instant) -> Instant? {
    var earliest = EarliestInstant()
    earliest.include(other)
    earliest.include(deadline)
    if let due = arrival.deadline(arrivalLimits), due > now { earliest.include(due) }
    if let due = recordedArrival.deadline(arrivalLimits), due > now { earliest.include(due) }
    return earliest.instant
  }

  /// Observes a reading; returns the progress if the target is reached with it.
  @inline(__always)
  mutating func observe(_ reading: Reading, at now: Instant) -> TargetProgress? {
    target?.observe(reading, zeroBand: zeroBand, at: now) == true ? reading.instruments?.target : nil
  }

  /// Observes a reading; returns the known container that was put on the empty pad.
  ///
  /// The first load that rests is compared, not what is filled into it later. A load under the minimum may be a
  /// container, but is no other load: something heavier may follow.
  @inline(__always)
  mutating func recognise(_ reading: Reading, gross: Grams?, minimum: Grams) -> Container? {
    guard arrival.isAwaited(reading, arrivalLimits), let gross, let uncertainty = reading.uncertainty else {
      return nil
    }
    let tolerance = max(reading.tare.division.step, Grams(2 * uncertainty.value))
    let known = containers.container(of: gross, tolerance: tolerance)
    // The first reading at rest is the least certain one.
    if known != nil || gross >= minimum && arrival.hasRested(reading, arrivalLimits) { arrival.arrive() }
    return known
  }

  /// A pad was connected.
  ///
  /// - Parameter isSame: Whether it was connected before, so that its load was not put on now.
  mutating func attachPad(isSame: Bool) { hasFrame = isSame }

  /// Observes a frame of the pad; the first one shows whether the pad was empty until now.
  @inline(__always)
  mutating func observe(_ frame: Frame, on pad: ConnectedPad) {
    if hasFrame { return }
    hasFrame = true
    // The first frame of a pad that is touched already follows a gap; without one, its contacts have just come down.
    if !frame.followsGap, pad.surface == .contacts { expectLoad() }
  }

  /// The next load has just been put on.
  private mutating func expectLoad() {
    arrival.expectLoad()
    recordedArrival.expectLoad()
  }

  /// Observes a reading; returns whether its load has to be recorded: once, when it is at rest and heavy enough.
  @inline(__always)
  mutating func isRecordDue(_ reading: Reading, minimum: Grams) -> Bool {
    let isEnough = reading.net.map { $0.mass.magnitude >= minimum && !reading.isUnderloaded } ?? false
    return recordedArrival.observe(reading, arrivalLimits, isLoad: isEnough)
  }
}

extension Instruments: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "a target in use is there": hasTarget == (target != nil),
      "pieces are counted by a counter": isCounting == (counter != nil),
    ]
  }

  var brokenInvariant: String? { ownBrokenInvariant ?? timer.brokenInvariant }
}
