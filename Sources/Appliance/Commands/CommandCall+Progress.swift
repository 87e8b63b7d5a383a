import EventLoop
import MQTTLink
import Synchronization
import Weighing

/// Why a command has no answer.
package enum CommandCallFault: Error, CustomStringConvertible {
  /// The password of the broker cannot be read.
  case password(PasswordFault)
  /// The configuration leaves the port of the embedded broker to chance.
  case portUnknown
  /// No broker can be reached; with the reason.
  case noBroker(String)
  /// The connection was lost before the answer; with the reason.
  case lost(String)
  /// The broker does not take the command; with the reason.
  case refused(String)
  /// The broker says that nobody subscribes to this topic.
  case nobodyListens(String)
  /// Nobody has answered in time.
  case noAnswer(String, Interval)

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .password(let fault): fault.description
    case .portUnknown: "mqtt.embedded_port is 0, any free port: name the broker with --broker"
    case .noBroker(let reason): "no broker: \(reason)"
    case .lost(let reason):
      "the connection was lost (\(reason)), and whether it was done is not known: see the topics event and live"
    case .refused(let reason): "the broker refuses the command (\(reason)): allow it in the broker's access list"
    case .nobodyListens(let topic):
      "nobody listens on \(topic): check that the appliance runs, --device and mqtt.prefix"
    case .noAnswer(let topic, let patience):
      "no answer to \(topic) within \(patience.seconds) s: check that the appliance runs, or give it a longer --timeout"
    }
  }
}

extension CommandCall {
  /// How far a call has come; shared by the link's thread and the one that waits.
  final class Progress: Sendable {
    private struct State: Sendable {
      var hasBegun = false
      var result: Result<Answer, CommandCallFault>?
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
    func end(_ result: Result<Answer, CommandCallFault>) {
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
    func wait(until deadline: Instant) -> Result<Answer, CommandCallFault>? {
      _ = ended.wait(milliseconds: deadline.millisecondsAway)
      return state.withLock { $0.result }
    }
  }
}
