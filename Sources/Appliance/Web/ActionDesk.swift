import Dashboard
import EventLoop
import Messages
import Synchronization
import Weighing

/// Passes actions of the dashboard to the scale and returns its answers.
///
/// May be called on any thread; only the caller of an action waits.
final class ActionDesk: Sendable {
  /// Maximum number of actions that wait for the scale.
  static let capacity = 16
  /// Maximum wait; after that an action is useless, because another user may be at the pad.
  private static let patience = Interval.seconds(10)
  /// Its request identifiers start here, to be distinct from those of commands over MQTT, which start at 1.
  private static let firstIdentifier = UInt64(1) << 63

  private struct State: Sendable {
    var waiting: [UInt64: CheckedContinuation<ActionResult?, Never>] = [:]
    var next = firstIdentifier
    var isClosed = false
  }

  private let state = Mutex(State())
  private let topics: Topics

  init(topics: Topics) { self.topics = topics }

  /// Requests an action and waits for the payload of the answer; `nil` if too many are waiting or the scale has ended.
  func act(
    _ name: String, _ parameters: ActionParameters, send: (ScaleMachine.Input) -> Void
  ) async -> [UInt8]? {
    let result: ActionResult? = await withCheckedContinuation { continuation in
      let identifier: UInt64? = state.withLock { state in
        guard !state.isClosed, state.waiting.count < Self.capacity else { return nil }
        state.next += 1
        state.waiting[state.next] = continuation
        return state.next
      }
      guard let identifier else { return continuation.resume(returning: nil) }
      send(
        .request(
          ActionRequest(
            name: name, label: parameters.label, reference: parameters.reference, source: .dashboard,
            identifier: identifier, expiry: .now() + Self.patience)))
    }
    guard let result else { return nil }
    // An answer does not depend on the heartbeat.
    var composer = MessageComposer(
      topics: topics, heartbeat: .seconds(5), clock: WallClock(offset: Instant.wallOffset()))
    return composer.answer(result, to: nil).payload
  }

  /// Delivers an answer if it belongs to a request of the dashboard.
  func take(_ result: ActionResult) {
    guard result.request.identifier >= Self.firstIdentifier else { return }
    state.withLock { $0.waiting.removeValue(forKey: result.request.identifier) }?.resume(returning: result)
  }

  /// Ends all waits without an answer.
  func close() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isClosed = true
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }
}
