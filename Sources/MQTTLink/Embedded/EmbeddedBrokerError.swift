/// Why the embedded broker is not available.
package enum EmbeddedBrokerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// mosquitto is not installed.
  case notInstalled
  /// Another process listens on the port.
  case portInUse(UInt16, PortOwner?)
  /// The system does not allow listening on the port; with its message.
  case portRefused(UInt16, String)
  /// mosquitto could not be started; with the system's message.
  case notStarted(String)
  /// mosquitto exited or did not respond in time; with its last message.
  case notReady(String)

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .notInstalled:
      "mosquitto is not installed: run 'sudo apt install mosquitto', or set mqtt.broker to an existing broker"
    case .portInUse(let port, .some(let owner)):
      "port \(port) is in use by \(owner): "
        + (owner.name == "mosquitto"
          ? "use that broker with mqtt.broker: mqtt://127.0.0.1:\(port), stop it with "
            + "'systemctl stop mosquitto' or 'kill \(owner.process)', or change mqtt.embedded_port"
          : "stop it, or change mqtt.embedded_port")
    case .portInUse(let port, nil):
      "port \(port) is in use by a program of another user (find it with 'sudo ss -ltnp sport = :\(port)'): "
        + "stop it, change mqtt.embedded_port, or set mqtt.broker if it is a broker"
    case .portRefused(let port, let text):
      "cannot listen on port \(port) (\(text)): set mqtt.embedded_port to a port from 1024 to 65535"
    case .notStarted(let text): "cannot start mosquitto (\(text))"
    case .notReady(let text): "the embedded broker is not responding (\(text))"
    }
  }
}

/// The process that listens on a port.
package struct PortOwner: Hashable, Sendable, CustomStringConvertible {
  /// Its process id.
  package var process: Int32
  /// Its name, as `ps` shows it.
  package var name: String

  /// `mosquitto (process 4711)`.
  package var description: String { "\(name) (process \(process))" }
}
