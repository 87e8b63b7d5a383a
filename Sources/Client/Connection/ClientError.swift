import Configuration
import Weighing

/// Why a request to a running appliance failed.
package enum ClientError: Error, CustomStringConvertible {
  /// The password of the broker cannot be read.
  case password(PasswordError)
  /// The embedded broker is configured to use any free port, so its port is not known.
  case portUnknown
  /// No broker is available; with the reason.
  case noBroker(String)
  /// The connection was lost before the response; with the reason.
  case lost(String)
  /// The broker refused the command; with the reason.
  case refused(String)
  /// The broker reports that this topic has no subscriber.
  case noSubscriber(String)
  /// The broker has no retained message on this topic.
  case noRetainedMessage(String)
  /// There was no response in time.
  case noAnswer(String, Interval)

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .password(let error): error.description
    case .portUnknown: "mqtt.embedded_port is 0 (any free port); specify the broker with --broker"
    case .noBroker(let reason): "no broker: \(reason)"
    case .lost(let reason):
      "connection lost (\(reason)) before the result arrived; check the topics event and live to see whether the action took effect"
    case .refused(let reason):
      "the broker refused the command (\(reason)); allow it in the access control list of the broker"
    case .noSubscriber(let topic):
      "no subscriber on \(topic): check that the appliance is running, and check --device and mqtt.prefix"
    case .noRetainedMessage(let topic): "the broker has no retained message on \(topic)"
    case .noAnswer(let topic, let patience):
      "no response to \(topic) within \(DecimalText.trimmed(patience.seconds, decimals: 3)) s: check that the appliance is running, or increase --timeout"
    }
  }
}
