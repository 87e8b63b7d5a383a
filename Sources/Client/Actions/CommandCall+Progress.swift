import EventLoop
import MQTTLink
import Messages
import Synchronization
import Weighing

extension CommandCall {
  /// How far a call has come; shared by the link's thread and the one that waits.
  final class Progress: Sendable {
    private struct State: Sendable {
      var hasBegun = false
      var result: Result<Answer, ClientError>?
      var refusals: [BrokerAddress: Int] = [:]
    }

    private let state = Mutex(State())
    private let ended = Signal()

    /// Whether the command has been published.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Says whether the command is still to be published, and that it now is.
    func begin() -> Bool {
      state.withLock { state in
        defer { state.hasBegun = true }
        return !state.hasBegun
      }
    }

    /// Ends the call; only the first end counts.
    func end(_ result: Result<Answer, ClientError>) {
      state.withLock { $0.result = $0.result ?? result }
      ended.raise()
    }

    /// Notes a failed attempt; says whether there is no hope left: each broker has failed, in both versions if it
    /// failed as one does that does not know MQTT 5.
    func refused(by broker: BrokerAddress, _ fault: LinkFault, of count: Int) -> Bool {
      state.withLock { state in
        state.refusals[broker, default: 0] += fault.mayBeAboutVersion ? 1 : 2
        return state.refusals.count == count && state.refusals.values.allSatisfy { $0 >= 2 }
      }
    }

    /// Waits for the end; `nil` when it has not come in time.
    func wait(until deadline: Instant) -> Result<Answer, ClientError>? {
      _ = ended.wait(milliseconds: deadline.millisecondsAway)
      return state.withLock { $0.result }
    }
  }
}
