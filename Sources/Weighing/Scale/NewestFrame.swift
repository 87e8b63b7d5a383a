/// The newest frame of a pad: its load, the contacts that make it, and whether it may be a spike that does not count yet.
struct NewestFrame: Sendable {
  /// What a frame shows, compared with the one before.
  struct Finding {
    /// Whether it counts; otherwise it is held.
    var isAccepted = true
    /// Whether something was put on or taken off, whatever the noise hides of it.
    var isOtherLoad: Bool
    /// The frame before, if it was held and this one shows that it is the load.
    var confirmed: OverloadGuard.HeldFrame?
  }

  /// The load in counts.
  private(set) var raw = RawForce.zero
  /// Whether an axis is at the end of its range.
  private(set) var isAtEnd = false
  private var contacts = RebaseliningDetector.Contacts()
  private var overloadGuard = OverloadGuard()

  /// When a frame that is held as a possible spike arrived; `nil` without one.
  var heldSince: Instant? { overloadGuard.held?.time }
  /// When a held frame counts as the load unless another one arrives; `nil` if only another one decides.
  var deadline: Instant? { overloadGuard.deadline }

  /// Forgets the held frame.
  mutating func releaseHeld() { _ = overloadGuard.release() }

  /// Evaluates a frame and accepts it as the load, or holds it as a possible spike.
  ///
  /// - Parameters:
  ///   - followsGap: Whether frames are missing before it, so that it is compared with nothing.
  ///   - mayBeSpike: Whether the load before it is known, so that a frame in overload may be a spike.
  ///   - patience: How long the next frame may take; `nil` if silence says nothing.
  mutating func receive(
    _ frame: FrameLoad, followsGap: Bool, mayBeSpike: Bool, patience: Interval?, at time: Instant,
    _ reference: OverloadGuard.Reference
  ) -> Finding {
    let held = overloadGuard.release()
    var finding = Finding(
      isOtherLoad: frame.contacts != contacts && contacts.count > 0 && reference.pad.surface == .contacts)
    if mayBeSpike, !followsGap, frame.isAtEnd || OverloadGuard.exceedsCapacity(frame.raw, reference) {
      guard held != nil else {
        overloadGuard.hold(frame, at: time, patience: patience)
        finding.isAccepted = false
        return finding
      }
      finding.confirmed = held
    } else if let held, !followsGap, OverloadGuard.confirms(frame.raw, held, reference) {
      finding.confirmed = held
    }
    contacts = frame.contacts
    (raw, isAtEnd) = (frame.raw, frame.isAtEnd)
    return finding
  }

  /// Shows the counts of a frame that is no measurement.
  mutating func lose(_ frame: FrameLoad) {
    releaseHeld()
    (raw, isAtEnd) = (frame.raw, false)
  }

  /// Returns the held frame, which counts as the load from its own time on, if its time is over.
  mutating func expire(at time: Instant) -> OverloadGuard.HeldFrame? {
    guard let held = overloadGuard.expire(at: time) else { return nil }
    (raw, isAtEnd) = (held.raw, held.isAtEnd)
    return held
  }
}

/// What became of a frame.
enum FrameOutcome {
  /// It is the load on the pad now.
  case measured
  /// It is held until the next frame, or the deadline if there is one, shows whether it is a spike.
  case held
  /// It does not come from the sensor: nothing is known about the load.
  case lost
}
