import Configuration
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// The link to the configured broker, and the embedded broker if it is configured.
final class BrokerConnection: Sendable {
  private let publisher: Publisher
  private let filters: Mutex<[String]>
  private let onEvent: @Sendable (LinkEvent) -> Void
  private let onReplace: @Sendable () -> Void
  private let logger: Logger
  private let broker = Mutex<EmbeddedBroker?>(nil)
  private let link = Mutex<(link: MQTTLink, settings: LinkSettings, droppedBefore: Int)?>(nil)
  private let address = Mutex<BrokerAddress?>(nil)
  private let renewal: CertificateRenewal

  /// Makes a connection; it does nothing until `connect`.
  ///
  /// - Parameters:
  ///   - filters: The topic filters to subscribe to.
  ///   - onEvent: Called with the events of the link, on the link's thread; must not wait.
  ///   - onReplace: Called when a link is replaced: messages passed to the old one will not be acknowledged.
  init(
    publisher: Publisher, filters: [String], onEvent: @escaping @Sendable (LinkEvent) -> Void,
    onReplace: @escaping @Sendable () -> Void, logger: Logger
  ) {
    self.publisher = publisher
    self.filters = Mutex(filters)
    (self.onEvent, self.onReplace, self.logger) = (onEvent, onReplace, logger)
    renewal = CertificateRenewal(logger: logger)
  }

  /// Starts the embedded broker if it is configured; returns its address.
  ///
  /// - Parameter ports: The ports to try in order; 0 for any free one.
  func startEmbeddedBroker(ports: [UInt16]) throws(EmbeddedBrokerError) -> BrokerAddress {
    var firstError: EmbeddedBrokerError?
    for port in ports {
      let candidate = EmbeddedBroker(port: port, logger: logger)
      do throws(EmbeddedBrokerError) {
        let started = try candidate.start()
        broker.withLock { $0 = candidate }
        address.withLock { $0 = started }
        return started
      } catch {
        candidate.stop()
        firstError = firstError ?? error
        guard case .portInUse = error else { break }
      }
    }
    throw firstError ?? .notReady("it has no port")
  }

  /// Connects as configured; keeps a connection whose settings have not changed.
  func connect(_ configuration: Configuration, folder: String) throws(PasswordError) {
    let settings = try linkSettings(configuration, folder: folder)
    renewal.configure(id: configuration.device.id, settings: configuration.mqtt.renewsCertificate ? settings : nil)
    if link.withLock({ $0?.settings == settings }) { return }
    // Includes links that were replaced.
    let droppedBefore = link.withLock { ($0?.droppedBefore ?? 0) + ($0?.link.droppedCount ?? 0) }
    let new = MQTTLink(settings: settings, logger: logger) { [publisher, onEvent] event in
      switch event {
      case .connected(let broker, _, let version, _):
        publisher.updateHealth { $0.broker = .connected(address: broker.description, version: version.description) }
      case .disconnected(let broker, let reason), .refused(let broker, let reason):
        publisher.updateHealth { $0.broker = .disconnected(reason.sentence.adding("broker", "\(broker)")) }
      case .dropped(let total): publisher.updateHealth { $0.droppedMessages = droppedBefore + total }
      case .message, .acknowledged, .subscribed, .urgent: break
      }
      onEvent(event)
    }
    let old = link.withLock { link in
      defer { link = (new, settings, droppedBefore) }
      return link?.link
    }
    if let old {
      // The scale may decide later that a dose has ended, and then nothing more reaches the old broker.
      old.stop(final: publisher.outputs.offMessages, within: .milliseconds(200))
      onReplace()
    }
    new.subscribe(filters.withLock { $0 } + publisher.filters)
    // Set before the start, so that a handler of the connected event publishes on this link.
    publisher.use(new)
    new.start()
  }

  /// Subscribes to further topics, now and on each connection.
  func subscribe(_ more: [String]) {
    filters.withLock { filters in filters += more.filter { !filters.contains($0) } }
    link.withLock { $0?.link }?.subscribe(more)
  }

  /// Switches all outputs off, publishes `offline`, disconnects and stops the embedded broker.
  ///
  /// All waits are limited: 1 s for a hung broker, 0.5 s for it to end.
  func stop() {
    // Also by these messages, in case the scale has not ended a dose.
    let last = publisher.outputs.offMessages + [publisher.offlineMessage]
    publisher.use(nil)
    renewal.stop()
    link.withLock { $0?.link }?.stop(final: last, within: .seconds(1))
    broker.withLock { $0 }?.stop()
  }

  private func linkSettings(
    _ configuration: Configuration, folder: String
  ) throws(PasswordError) -> LinkSettings {
    let mqtt = configuration.mqtt
    let brokers: [BrokerAddress] =
      switch mqtt.broker {
      case .embedded: address.withLock { $0.map { [$0] } } ?? []
      case .external(let addresses): addresses
      }
    let identity = Topics(prefix: mqtt.prefix, id: configuration.device.id).identity
    var settings = try mqtt.linkSettings(brokers, clientID: "grampad-\(identity)", folder: folder)
    settings.will = publisher.offlineMessage
    // The embedded broker is local: shorter delays are enough.
    if mqtt.broker == .embedded { settings.backOff = BackOff(first: .milliseconds(200), longest: .seconds(2)) }
    return settings
  }
}
