import Configuration
import Languages
import MQTTLink
import Weighing

/// Why the appliance cannot run.
package enum ApplianceError: SentenceError {
  /// The embedded broker cannot be started.
  case broker(EmbeddedBrokerError)
  /// The password of the broker cannot be read.
  case password(PasswordError)
  /// The token of the dashboard cannot be read.
  case token(TokenError)
  /// Any other error, with its description.
  case failed(String)

  /// What failed and what to do about it.
  package var sentence: Sentence {
    switch self {
    case .broker(let error): error.sentence
    case .password(let error): error.sentence
    case .token(let error): error.sentence
    case .failed(let text): .verbatim(text)
    }
  }
}
