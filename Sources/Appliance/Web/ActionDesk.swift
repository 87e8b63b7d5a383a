import Dashboard
import EventLoop
import Messages
import Synchronization
import Weighing

/// Takes the actions of the dashboard to the scale, and its answers back.
///
/// May be called on any thread; nothing in it waits but the one who asks.
final class ActionDesk: Sendable {
  /// So many actions wait for the scale at most.
  static let capacity = 16
  /// An action is of no use any more when somebody has waited this long: the pad may be another's by then.
  private static let patience = Interval.seconds(10)
  /// Its identifiers begin here, so that they are none of those of commands over MQTT, which count from 1.
  private static let firstIdentifier = UInt64(1) << 63

  private struct State: Sendable {
    var waiting: [UInt64: CheckedContinuation<ActionResult?, Never>] = [:]
    var next = firstIdentifier
    var isClosed = false
  }

  private let state = Mutex(State())
  private let topics: Topics

  init(topics: Topics) { self.topics = topics }

  /// Asks for an action and waits for the payload of the answer; `nil` when too many wait, or when the scale has ended.
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
    // The heartbeat is of no matter to an answer.
    var composer = MessageComposer(
      topics: topics, heartbeat: .seconds(5), clock: WallClock(offset: Instant.wallOffset()))
    return composer.answer(result, to: .nobody).payload
  }

  /// Hands an answer to who has asked, if that was the dashboard.
  func take(_ result: ActionResult) {
    guard result.request.identifier >= Self.firstIdentifier else { return }
    state.withLock { $0.waiting.removeValue(forKey: result.request.identifier) }?.resume(returning: result)
  }

  /// Sends everybody away who still waits.
  func close() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isClosed = true
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }
}
