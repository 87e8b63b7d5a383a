import Linux
import MQTTLink
import Messages
import Synchronization
import Weighing

extension CommandCall {
  /// The progress of a call, shared by the thread of the connection and the waiting thread.
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

    /// Returns whether the command still has to be published, and marks it as published.
    func begin() -> Bool {
      state.withLock { state in
        defer { state.hasBegun = true }
        return !state.hasBegun
      }
    }

    /// Ends the call; only the first result counts.
    func end(_ result: Result<Answer, ClientError>) {
      state.withLock { $0.result = $0.result ?? result }
      ended.raise()
    }

    /// Records a failed attempt; returns whether to give up: each broker has failed, and in both versions if it failed as a
    /// broker without MQTT 5 does.
    func refused(by broker: BrokerAddress, _ fault: LinkError, of count: Int) -> Bool {
      state.withLock { state in
        state.refusals[broker, default: 0] += fault.mayBeAboutVersion ? 1 : 2
        return state.refusals.count == count && state.refusals.values.allSatisfy { $0 >= 2 }
      }
    }

    /// Waits for the result; `nil` on timeout.
    func wait(until deadline: Instant) -> Result<Answer, ClientError>? {
      _ = ended.wait(milliseconds: deadline.millisecondsAway)
      return state.withLock { $0.result }
    }
  }
}
