import Glibc
import Languages
import Linux
import Messages
import Weighing

@testable import MQTTLink

extension SimulatedLink {
  /// An address of the broker, such as a node of a cluster, and what it supports.
  struct Server {
    let address: BrokerAddress
    /// The answer to every attempt, of an address that is never reachable.
    let fault: LinkError?
    /// The answer to MQTT 5, of a broker without it.
    let faultOfVersion5: LinkError?
    let receiveMaximum: Int
  }

  /// One to three addresses, of which at least one is reachable, and settings with them.
  static func randomSettings(clientID: String, in world: World) -> (LinkSettings, [Server]) {
    let count = Int.random(in: 1...3, using: &world.random)
    let reachable = Int.random(in: 0..<count, using: &world.random)
    let addresses = (0..<count).map { BrokerAddress(host: "broker-\($0)", port: 1883) }
    var settings = LinkSettings(brokers: addresses, clientID: clientID)
    settings.version = world.chance(8) ? .v311 : .v5
    (settings.keepAlive, settings.pingDeadline) = (.seconds(5), .seconds(2))
    settings.acknowledgementDeadline = world.milliseconds(2000...10_000)
    // The second is that of the embedded broker.
    settings.backOff = world.chance(4) ? BackOff() : BackOff(first: .milliseconds(200), longest: .seconds(2))
    let faults: [LinkError] = [
      .unknownHost("unknown"), .unreachable(systemText(ECONNREFUSED)), .noAnswer(settings.answerDeadline),
    ]
    let faultsOfVersion5: [LinkError] = [.versionRefused(.v5), .closedBeforeConnack, .notMQTT("another version")]
    let servers = addresses.indices.map { index in
      Server(
        address: addresses[index],
        fault: index != reachable && world.chance(3) ? faults.randomElement(using: &world.random) : nil,
        faultOfVersion5: world.chance(5) ? faultsOfVersion5.randomElement(using: &world.random) : nil,
        receiveMaximum: world.chance(2) ? 65535 : Int.random(in: 1...20, using: &world.random))
    }
    return (settings, servers)
  }
}

extension SimulatedLink.Server {
  /// Why it always refuses this version; `nil` if it accepts it.
  func refusal(of version: ProtocolVersion) -> LinkError? {
    fault ?? (version == .v5 ? faultOfVersion5 : nil)
  }

  /// Each reason for which an attempt fails.
  static func refusals(
    of version: ProtocolVersion, by address: BrokerAddress, _ settings: LinkSettings
  ) -> [LinkError] {
    // The codes of a CONNACK: bad user name or password, not authorized; and those about the server or the client
    // identifier.
    let codes: (credentials: [UInt8], other: [UInt8]) =
      version == .v5 ? ([0x86, 0x87], [0x88, 0x89, 0x9F]) : ([4, 5], [2, 3])
    return codes.credentials.map { .credentialsRefused(ReasonCode(rawValue: $0)) }
      + codes.other.map { .refused(ReasonCode(rawValue: $0)) }
      + [
        .unknownHost("unknown"), .unreachable(systemText(ECONNREFUSED)), .unreachable(systemText(ETIMEDOUT)),
        .noAnswer(settings.answerDeadline), .versionRefused(version), .closedBeforeConnack, .notMQTT("no MQTT"),
        .untrustedCertificate("self-signed"), .certificateOutOfDate("expired"), .wrongServerName(address.host),
        .unusableFile(path: "key.pem", reason: .verbatim("no key")), .tls("the handshake failed"),
        .unusableSettings("unusable"),
      ]
  }

  /// Each reason for which the other side ends a connection. What the scale finds out itself, such as `silent`, is not
  /// among them.
  static func ends(of version: ProtocolVersion, _ settings: LinkSettings) -> [LinkError] {
    let ends: [LinkError] = [
      .closed, .closed, .broken(systemText(EPIPE)), .broken(systemText(ECONNRESET)), .notMQTT("malformed packet"),
      .tls("bad record"),
    ]
    // The reasons of a DISCONNECT: about a packet, and about the server.
    let codes: [UInt8] = [0x81, 0x82, 0x87, 0x93, 0x95, 0x97, 0x89, 0x8B, 0x8D, 0x98, 0x9C]
    guard version == .v5 else { return ends }
    return ends + codes.map { .endedByBroker(ReasonCode(rawValue: $0)) }
      + [.sessionTakenOver(clientID: settings.clientID)]
  }
}

extension LinkError {
  /// The name of the reason, without its values.
  var name: String {
    guard case .text(let key, _) = sentence.content else { return "\(self)" }
    return String(key.trimmingPrefix("link_"))
  }
}
