/// A net to reach, with the tolerance within which it is right.
public struct Target: Hashable, Sendable {
  /// The net; above 0.
  public var mass: Grams
  /// How far the net may be off; `nil` for one division.
  public var tolerance: Grams?
  /// Whether a stop is reported ahead of it; `nil` for the setting.
  public var stopsAhead: Bool?

  /// Makes a target.
  public init(mass: Grams, tolerance: Grams? = nil, stopsAhead: Bool? = nil) {
    (self.mass, self.tolerance, self.stopsAhead) = (mass, tolerance, stopsAhead)
  }
}

/// How far a reading is from its target.
public struct TargetProgress: Hashable, Sendable {
  /// The net compared with the target.
  public enum Check: String, Hashable, Sendable, CaseIterable {
    /// More is needed.
    case under
    /// The net is within the tolerance.
    case ok
    /// The net is too large.
    case over
  }

  /// The net to reach.
  public var mass: Grams
  /// How far the net may be off.
  public var tolerance: Grams
  /// What is missing, negative if there is too much; `nil` without a net.
  public var remaining: Grams?
  /// The comparison; `nil` without a net.
  public var check: Check?
  /// Whether a stop is reported ahead of the target.
  public var stopsAhead = false
  /// The dose whose target it is; `nil` for a target that was set by itself.
  public var dose: DosePhase?

  /// The phase of a dose.
  public enum DosePhase: String, Hashable, Sendable, CaseIterable {
    /// The output is on.
    case running
    /// The output is off, and the load has not come to rest.
    case settling
  }
}

extension TargetProgress {
  /// Compares the displayed net with a target.
  ///
  /// The displayed mass nearest to the target is always within the tolerance, even if the target lies between two
  /// divisions.
  ///
  /// - Parameter limit: `limit(of:division:)` for the division of the net.
  @inline(__always)
  fileprivate init(
    _ target: Target, net: DisplayedMass?, division: Division, limit: Grams, stopsAhead: Bool, dose: DosePhase?
  ) {
    self.init(
      mass: target.mass, tolerance: target.tolerance ?? division.step, remaining: nil, check: nil,
      stopsAhead: stopsAhead, dose: dose)
    guard let net else { return }
    let remaining = target.mass - net.mass
    self.remaining = remaining
    check = remaining > limit ? .under : remaining.magnitude > limit ? .over : .ok
  }

  /// How far the net may be off for a division.
  fileprivate static func limit(of target: Target, division: Division) -> Grams {
    let nearest = DisplayedMass(steps: division.steps(nearest: target.mass), division: division).mass
    // A thousandth of a division: the sums of decimal fractions are not exact.
    return max(target.tolerance ?? division.step, (nearest - target.mass).magnitude) + Grams(division.step.value / 1000)
  }
}

/// Compares each reading with the target, and reports once that it is reached.
///
/// ```
///              net at the target for 200 ms
///   under way ──────────────────────────────► reached (event)
///       ▲                                        │
///       └────── net back in the zero band ───────┘
/// ```
///
/// A net that is beyond the target already when it is set counts as reached without an event.
struct TargetMonitor: Sendable {
  /// The target.
  let target: Target
  /// Whether a stop is reported ahead of it.
  let stopsAhead: Bool
  /// The phase of the dose whose target it is.
  var dose: TargetProgress.DosePhase?
  /// How far the net may be off, computed once for a division.
  private var limit: (division: Division, mass: Grams)
  private var hasReached = false
  /// Since when the net has been at the target; `nil` while it is not, or the event was sent.
  private var since: Instant?

  /// How long the net has to be at the target: longer than a tap on the pad or the shock of a load that is put down,
  /// and so short that a person who pours hears it in time. A design decision.
  private static let hold = Interval.milliseconds(200)

  /// Sets a target.
  init(_ target: Target, reading: Reading, stopsAhead: Bool, dose: TargetProgress.DosePhase?) {
    (self.target, self.stopsAhead, self.dose) = (target, stopsAhead, dose)
    let division = reading.tare.division
    limit = (division, TargetProgress.limit(of: target, division: division))
    hasReached = progress(reading).check == .over
  }

  /// How far a reading is from the target.
  @inline(__always)
  mutating func progress(_ reading: Reading) -> TargetProgress {
    let division = reading.tare.division
    if division != limit.division { limit = (division, TargetProgress.limit(of: target, division: division)) }
    return TargetProgress(
      target, net: reading.net, division: division, limit: limit.mass, stopsAhead: stopsAhead, dose: dose)
  }

  /// When the target counts as reached if the net stays there; `nil` otherwise.
  var deadline: Instant? { since.map { $0 + Self.hold } }

  /// Observes a reading that carries the progress; returns whether the target is reached with it.
  ///
  /// - Parameter zeroBand: Within this distance of zero the net is back at zero.
  @inline(__always)
  mutating func observe(_ reading: Reading, zeroBand: Grams, at now: Instant) -> Bool {
    guard let net = reading.highResolution else {
      since = nil
      return false
    }
    // An empty scale is not at the target, even if the tolerance includes zero.
    guard net.magnitude > zeroBand else {
      hasReached = false
      since = nil
      return false
    }
    let check = reading.instruments?.target?.check
    guard !hasReached, check == .ok || check == .over, reading.state != .pressing else {
      since = nil
      return false
    }
    let start = since ?? now
    hasReached = now >= start + Self.hold
    since = hasReached ? nil : start
    return hasReached
  }
}
