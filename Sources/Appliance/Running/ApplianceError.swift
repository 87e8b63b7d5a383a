import Configuration
import MQTTLink

/// Why the appliance cannot run.
package enum ApplianceError: Error, CustomStringConvertible {
  /// The embedded broker cannot be started.
  case broker(EmbeddedBrokerError)
  /// The password of the broker cannot be read.
  case password(PasswordError)
  /// The token of the dashboard cannot be read.
  case token(TokenError)
  /// Any other error, with its description.
  case failed(String)

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .broker(let error): error.description
    case .password(let fault): fault.description
    case .token(let fault): fault.description
    case .failed(let text): text
    }
  }
}
