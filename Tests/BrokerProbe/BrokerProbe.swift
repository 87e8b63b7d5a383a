import Glibc
import Logging
import MQTTLink
import Messages

/// A process that a test kills: it runs an embedded broker, or it is connected to a broker.
///
/// `brokerprobe broker` prints `PROCESS PORT` of its mosquitto; `brokerprobe link PORT` prints `connected`. Both run until
/// they are killed.
@main
enum BrokerProbe {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    switch words.first {
    case "broker": runBroker()
    case "link": runLink(port: words.dropFirst().first.flatMap { UInt16($0) } ?? 1883)
    default: exit(64)
    }
    while true { pause() }
  }

  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  private static func runBroker() {
    let broker = EmbeddedBroker(port: 0, logger: Logger(label: "probe"))
    do {
      let address = try broker.start()
      say("\(broker.process ?? 0) \(address.port)")
    } catch {
      say("\(error)")
      exit(69)
    }
    // Keeps the broker for the lifetime of the process.
    withExtendedLifetime(broker) { while true { pause() } }
  }

  private static func runLink(port: UInt16) {
    let settings = LinkSettings(
      brokers: [BrokerAddress(host: "127.0.0.1", port: port)], clientID: "probe-\(getpid())",
      will: Message(topic: "probe/availability", payload: Array("offline".utf8), delivery: .retained))
    let link = MQTTLink(settings: settings, logger: Logger(label: "probe")) { event in
      if case .acknowledged = event { say("online") }
      if case .connected = event { say("connected") }
    }
    link.publish(Message(topic: "probe/availability", payload: Array("online".utf8), delivery: .retained))
    link.start()
    withExtendedLifetime(link) { while true { pause() } }
  }
}
