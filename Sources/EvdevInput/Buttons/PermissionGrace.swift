import Weighing

/// Delays the report that a device cannot be opened: udev creates a node before it sets its group and its ACL, and the
/// program may look in between.
///
/// ```
///   refused ──► waiting ── grace time over, refused again ──► reported
///                  └── opened, or removed ──► forgotten ◄────────┘
/// ```
struct PermissionGrace {
  private struct Refusal {
    var node: NodeIdentity
    var deadline: Instant
    var isReported = false
  }

  private var refusals: [String: Refusal] = [:]

  /// How long udev may take. Its rules take milliseconds on an idle machine and a few seconds during start-up. A design
  /// decision, not a measurement.
  static let time = Interval.seconds(5)

  /// When to try again the device that was refused first; `nil` if none waits.
  var nextDeadline: Instant? { refusals.values.lazy.filter { !$0.isReported }.map(\.deadline).min() }

  /// Whether the grace time of a path is over without a report.
  func isDue(_ path: String, at now: Instant) -> Bool {
    refusals[path].map { !$0.isReported && $0.deadline <= now } ?? false
  }

  /// Records that a device was refused; returns whether to report it now.
  mutating func refuse(_ path: String, _ node: NodeIdentity, at now: Instant) -> Bool {
    var refusal =
      refusals[path].flatMap { $0.node == node ? $0 : nil } ?? Refusal(node: node, deadline: now + Self.time)
    defer { refusals[path] = refusal }
    guard !refusal.isReported, refusal.deadline <= now else { return false }
    refusal.isReported = true
    return true
  }

  /// Forgets a device that was opened.
  mutating func forget(_ path: String) { refusals[path] = nil }

  /// Forgets the devices that are gone.
  mutating func keep(_ paths: Set<String>) { refusals = refusals.filter { paths.contains($0.key) } }
}
