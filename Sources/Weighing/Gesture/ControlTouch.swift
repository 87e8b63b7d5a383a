/// A finger on a control, from touch-down to lift.
///
/// ```
///   touch-down ──began──► pressed ──changed, at the live rate──► pressed ──lifted────► ended
///                                                                   └─────cancelled──► cancelled
/// ```
///
/// The first and the last report are sent at once. A finger that leaves the zone still controls it, at the edge, and may
/// press for any time: the user of a fader looks at the lamp, not at the pad.
struct ControlTouch: Sendable {
  /// The contact.
  let serial: UInt64
  private let name: ControlName
  /// What is published.
  private struct Level: Equatable, Sendable {
    var value = 0.0
    var x: Double?
    var y: Double?
  }

  private var level = Level()
  private var reported: Level?
  private var reportedAt: Instant

  /// Starts with a contact.
  init(serial: UInt64, name: ControlName, at time: Instant) {
    self.serial = serial
    self.name = name
    reportedAt = time
  }

  /// Whether the force is a full one.
  var isFull: Bool { level.value >= 1 }

  /// Evaluates the force and the position in a frame.
  mutating func move(intention: Double, to position: Position?, in zone: Zones.Zone) {
    level.value = min(max(intention, 0), 1)
    level.x = position.map { Self.fraction(of: $0.x, in: zone.area.x) }
    level.y = position.map { Self.fraction(of: $0.y, in: zone.area.y) }
  }

  /// Returns the report that is due now, if any: the first one at once, the others at intervals.
  mutating func dueReport(at now: Instant, interval: Interval) -> ControlReport? {
    guard let due = nextDeadline(interval: interval), due <= now else { return nil }
    defer { (reported, reportedAt) = (level, now) }
    return report(reported == nil ? .began : .changed, at: now)
  }

  /// When a report is due if nothing happens before.
  func nextDeadline(interval: Interval) -> Instant? {
    guard let reported else { return reportedAt }
    return level == reported ? nil : reportedAt + interval
  }

  /// Makes a report of the present level.
  func report(_ state: ControlReport.State, at now: Instant) -> ControlReport {
    ControlReport(time: now, name: name, state: state, value: level.value, x: level.x, y: level.y)
  }

  private static func fraction(of value: Double, in range: ClosedRange<Double>) -> Double {
    min(max((value - range.lowerBound) / (range.upperBound - range.lowerBound), 0), 1)
  }
}
