import Configuration
import Logging
import MQTTLink
import Messages
import Synchronization
import Weighing

/// The connection of a command to the broker of an appliance.
///
/// `start` connects, and connects again whenever the connection is lost, until `stop`.
final class BrokerClient: Sendable {
  /// The topics of the appliance.
  let topics: Topics
  /// The brokers in order of preference; never empty.
  let brokers: [BrokerAddress]
  /// Distinguishes this client from all others: 16 hexadecimal digits, part of its client identifier.
  let token: String
  private let settings: LinkSettings
  private let link = Mutex<MQTTLink?>(nil)

  /// Makes a client from the configuration of the appliance.
  ///
  /// - Parameters:
  ///   - brokers: Used instead of those of the configuration.
  ///   - folder: The folder of the configuration file.
  ///   - purpose: Part of the client identifier, `grampad-PURPOSE-TOKEN`.
  ///   - backOff: The waits between attempts to connect.
  /// - Throws: `ClientError.password`, `.portUnknown`.
  init(
    _ configuration: Configuration, brokers: [BrokerAddress]? = nil, folder: String, purpose: String,
    backOff: BackOff = BackOff()
  ) throws(ClientError) {
    let mqtt = configuration.resolvingPaths(in: folder).mqtt
    self.brokers = brokers ?? mqtt.addresses
    guard !self.brokers.isEmpty else { throw .portUnknown }
    token = String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 16)
    topics = Topics(prefix: configuration.mqtt.prefix, id: configuration.device.id)
    do throws(PasswordError) {
      var settings = try mqtt.linkSettings(self.brokers, clientID: "grampad-\(purpose)-\(token)", folder: folder)
      settings.backOff = backOff
      self.settings = settings
    } catch {
      throw .password(error)
    }
  }

  /// Makes a client that stays connected for a user who watches: it soon tries again after a loss.
  convenience init(
    lasting configuration: Configuration, brokers: [BrokerAddress]?, folder: String, purpose: String
  ) throws(ClientError) {
    try self.init(
      configuration, brokers: brokers, folder: folder, purpose: purpose,
      backOff: BackOff(first: .milliseconds(200), longest: .seconds(2)))
  }

  /// Connects.
  ///
  /// - Parameters:
  ///   - filters: Subscribed to at each connection.
  ///   - onEvent: Called on the connection's thread; must not wait.
  func start(
    subscribingTo filters: [String] = [], logger: Logger, onEvent: @escaping @Sendable (LinkEvent) -> Void
  ) {
    let new = MQTTLink(settings: settings, logger: logger, onEvent: onEvent)
    link.withLock { $0 = new }
    if !filters.isEmpty { new.subscribe(filters) }
    new.start()
  }

  /// Disconnects; takes up to half a second with a broker that does not respond.
  func stop() {
    link.withLock { link in
      defer { link = nil }
      return link
    }?.stop(within: .milliseconds(500))
  }

  /// Subscribes to more topics; subscriptions go out before messages that are published later.
  func subscribe(_ filters: [String]) { link.withLock { $0 }?.subscribe(filters) }

  /// Publishes a message; dropped unless `start` has been called.
  ///
  /// - Parameter token: Returned in `LinkEvent.acknowledged`.
  func publish(_ message: Message, token: UInt64? = nil) {
    link.withLock { $0 }.map { link in
      if let token { _ = link.publish(message, token: token) } else { link.publish(message) }
    }
  }
}
