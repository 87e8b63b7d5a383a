import Languages
import Weighing

/// Why the embedded broker is not available.
package enum EmbeddedBrokerError: SentenceError, Hashable {
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
  package var sentence: Sentence {
    switch self {
    case .notInstalled: Sentence(.brokerNotInstalled, ["command": "sudo apt install mosquitto"])
    case .portInUse(let port, .some(let owner)) where owner.name == "mosquitto":
      Sentence(
        .brokerPortOfMosquitto,
        [
          "port": port, "owner": owner.sentence, "setting": "mqtt.broker: mqtt://127.0.0.1:\(port)",
          "stop": "systemctl stop mosquitto", "kill": "kill \(owner.process)",
        ])
    case .portInUse(let port, .some(let owner)):
      Sentence(.brokerPortInUse, ["port": port, "owner": owner.sentence])
    case .portInUse(let port, nil):
      Sentence(.brokerPortOfOther, ["port": port, "command": "sudo ss -ltnp sport = :\(port)"])
    case .portRefused(let port, let text): Sentence(.brokerPortRefused, ["port": port, "error": text])
    case .notStarted(let text): Sentence(.brokerNotStarted, ["error": text])
    case .notReady(let text): Sentence(.brokerNotReady, ["error": text])
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
  package var sentence: Sentence { Sentence(.processName, ["name": name, "number": process]) }

  /// The sentence in English.
  package var description: String { sentence.description }
}
