import EventLoop
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// Asks a broker what the appliance has said of its health last, which the broker keeps.
struct HealthQuery {
  /// The retained payloads by topic, as far as they come within the patience.
  ///
  /// - Throws: `.program`: no broker can be reached.
  static func ask(
    _ configuration: Configuration, folder: String, patience: Interval, logger: Logger
  ) throws(BackupFault) -> [UInt8] {
    let resolved = configuration.resolvingPaths(in: folder)
    let settings: LinkSettings
    do throws(PasswordFault) {
      settings = try resolved.mqtt.linkSettings(
        resolved.mqtt.addresses, clientID: "grampad-report-\(UInt32.random(in: 0 ... .max))", folder: folder)
    } catch {
      throw .program("mqtt", error.description)
    }
    guard !settings.brokers.isEmpty else { throw .program("mqtt", "the port of the embedded broker is left to chance") }
    let topic = Topics(prefix: configuration.mqtt.prefix, id: configuration.device.id)(.health)
    let state = Mutex((payload: [UInt8]?.none, reason: "no connection within \(patience.seconds) s"))
    let ended = Signal()
    let line = Mutex<MQTTLink?>(nil)
    let link = MQTTLink(settings: settings, logger: logger) { event in
      switch event {
      case .connected:
        line.withLock { $0 }?.subscribe([topic])
        state.withLock { $0.reason = "the broker has no health of \(topic)" }
      case .message(let message):
        guard message.topic == topic else { return }
        state.withLock { $0.payload = message.payload }
        ended.raise()
      case .refused(let broker, let reason):
        state.withLock { $0.reason = "\(broker): \(reason)" }
      case .acknowledged, .disconnected, .subscribed, .dropped: break
      }
    }
    line.withLock { $0 = link }
    link.start()
    _ = ended.wait(milliseconds: (Instant.now() + patience).millisecondsAway)
    link.stop(within: .milliseconds(500))
    line.withLock { $0 = nil }
    let (payload, reason) = state.withLock { $0 }
    guard let payload else { throw .program("mqtt", reason) }
    return payload
  }
}
