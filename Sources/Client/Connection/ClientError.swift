import Configuration
import Languages
import Weighing

/// Why a request to a running appliance failed.
package enum ClientError: Error, CustomStringConvertible {
  /// The password of the broker cannot be read.
  case password(PasswordError)
  /// The embedded broker is configured to use any free port, so its port is not known.
  case portUnknown
  /// No broker is available; with the reason.
  case noBroker(String)
  /// No broker is available within this time.
  case noConnection(Interval)
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

  /// What failed and what to do about it, in English.
  package var description: String { text(.english) }

  /// What failed and what to do about it; the reason of a broker or of the system is in English.
  package func text(_ texts: Texts) -> String {
    func seconds(_ time: Interval) -> String { DecimalText.trimmed(time.seconds, decimals: 3) }
    return switch self {
    case .password(let error): error.description
    case .portUnknown: texts(.portUnknown)
    case .noBroker(let reason): texts(.noBroker, ["reason": reason])
    case .noConnection(let time):
      texts(.noBroker, ["reason": texts(.noConnection, ["seconds": seconds(time)])])
    case .lost(let reason): texts(.connectionLost, ["reason": reason])
    case .refused(let reason): texts(.brokerRefused, ["reason": reason])
    case .noSubscriber(let topic): texts(.noSubscriber, ["topic": topic])
    case .noRetainedMessage(let topic): texts(.noRetainedMessage, ["topic": topic])
    case .noAnswer(let topic, let time): texts(.noResponse, ["topic": topic, "seconds": seconds(time)])
    }
  }
}
