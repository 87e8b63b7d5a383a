import Messages
import Weighing

/// The command `resend` of a client: the records to publish again, and where to send the answer.
struct ResendRequest: Hashable, Sendable {
  let range: ClosedRange<Int>
  let source: ActionSource
  let caller: Caller
  /// When it is no longer carried out; `nil` if it does not expire.
  let expiry: Instant?
}

/// The answer to a `ResendRequest`.
struct ResendAnswer: Hashable, Sendable {
  let result: ResendResult
  let caller: Caller
}
