/// The label that a code has given to the next weighing.
struct PendingLabel: Hashable, Sendable {
  /// The label.
  var text: String
  /// When it expires.
  var expiry: Instant
}
