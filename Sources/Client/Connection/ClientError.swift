import Configuration
import Languages
import Weighing

/// Why a request to a running appliance failed.
package enum ClientError: SentenceError {
  /// The password of the broker cannot be read.
  case password(PasswordError)
  /// The embedded broker is configured to use any free port, so its port is not known.
  case portUnknown
  /// No broker is available; with the reason.
  case noBroker(Sentence)
  /// No broker is available within this time.
  case noConnection(Interval)
  /// The connection was lost before the response; with the reason.
  case lost(Sentence)
  /// The broker refused the command; with the reason.
  case refused(String)
  /// The broker reports that this topic has no subscriber.
  case noSubscriber(String)
  /// The broker has no retained message on this topic.
  case noRetainedMessage(String)
  /// There was no response in time.
  case noAnswer(String, Interval)

  /// What failed and what to do about it; messages of the broker and the system are in English.
  package var sentence: Sentence {
    func seconds(_ time: Interval) -> String { DecimalText.trimmed(time.seconds, decimals: 3) }
    return switch self {
    case .password(let error): error.sentence
    case .portUnknown: Sentence(.portUnknown)
    case .noBroker(let reason): Sentence(.noBroker, ["reason": reason])
    case .noConnection(let time):
      Sentence(.noBroker, ["reason": Sentence(.noConnection, ["seconds": seconds(time)])])
    case .lost(let reason): Sentence(.connectionLost, ["reason": reason])
    case .refused(let reason): Sentence(.brokerRefused, ["reason": reason])
    case .noSubscriber(let topic): Sentence(.noSubscriber, ["topic": topic])
    case .noRetainedMessage(let topic): Sentence(.noRetainedMessage, ["topic": topic])
    case .noAnswer(let topic, let time): Sentence(.noResponse, ["topic": topic, "seconds": seconds(time)])
    }
  }
}
