import Weighing

/// The settings of a link: brokers, identity, timeouts and limits.
package struct LinkSettings: Hashable, Sendable {
  /// The brokers in order of preference. Must not be empty.
  package var brokers: [BrokerAddress]
  /// The client identifier, unique on the broker: a second client with the same one disconnects the first.
  package var clientID: String
  /// The newest protocol version to use.
  package var version: ProtocolVersion
  /// The credentials, if any.
  package var credentials: Credentials?
  /// The files for brokers with `mqtts://`.
  package var tls: TLSSettings
  /// The will: the broker publishes it if the connection ends without DISCONNECT. Its topic is also the first to be
  /// published on each connection.
  package var will: Message?
  /// The MQTT keep-alive: after this time without traffic in one direction, a ping is sent.
  ///
  /// Whole seconds; libmosquitto requires at least 5 s. 7 s and `pingDeadline` together detect a frozen broker within
  /// 12 s, at 0.3 wake-ups a second.
  package var keepAlive: Interval
  /// Maximum time for the response to a ping.
  package var pingDeadline: Interval
  /// Maximum time for the acknowledgement of a message or a subscription.
  package var acknowledgementDeadline: Interval
  /// Time after which an urgent message with an expiry that is not acknowledged is reported; the connection continues.
  ///
  /// Chosen: above the second that a Wi-Fi network may need to repeat a lost packet. A grinder fills 4 g meanwhile.
  package var urgentDeadline: Interval
  /// Maximum packet size accepted from the broker, in bytes (MQTT 5).
  ///
  /// libmosquitto reads a packet completely before it is processed. The largest useful one is a list of quick actions:
  /// 128 KiB, and up to 64 KiB each for topic and correlation data. A broker drops a larger packet without informing
  /// its sender; the default of 2 MiB therefore leaves room to answer a command that is too long.
  package var maximumPacketSize: UInt32
  /// Maximum time from the first packet to CONNACK.
  package var answerDeadline: Interval
  /// The delays between rounds of attempts.
  package var backOff: BackOff
  /// A connection that lasts this long resets the delay.
  package var lastingConnection: Interval
  /// Maximum number of unacknowledged QoS 1 messages in flight, without the places for urgent ones; the broker's receive
  /// maximum may lower it. libmosquitto sends at most 20 messages.
  package var window: Int
  /// Maximum number of queued messages with `Message.Delivery.assured`; if the queue is full, the oldest is dropped.
  package var assuredCapacity: Int
  /// Whether `IncomingMessage.isRetained` tells how a message was published (MQTT 5, Retain As Published), not whether the
  /// broker had it before the subscription; with 3.1.1 it is always the latter. A scale has to recognise a command that is
  /// retained while it is subscribed; a collector has to recognise a health that is old.
  package var retainAsPublished: Bool

  /// Makes settings; the defaults are for a scale in a home network.
  package init(
    brokers: [BrokerAddress], clientID: String, version: ProtocolVersion = .v5, credentials: Credentials? = nil,
    tls: TLSSettings = TLSSettings(), will: Message? = nil, keepAlive: Interval = .seconds(7),
    pingDeadline: Interval = .seconds(5), acknowledgementDeadline: Interval = .seconds(30),
    urgentDeadline: Interval = .seconds(2),
    maximumPacketSize: UInt32 = 2_097_152, answerDeadline: Interval = .seconds(5), backOff: BackOff = BackOff(),
    lastingConnection: Interval = .seconds(3),
    window: Int = 18, assuredCapacity: Int = 1000, retainAsPublished: Bool = true
  ) {
    (self.brokers, self.clientID, self.version, self.credentials) = (brokers, clientID, version, credentials)
    (self.tls, self.will, self.keepAlive, self.pingDeadline) = (tls, will, keepAlive, pingDeadline)
    (self.acknowledgementDeadline, self.urgentDeadline) = (acknowledgementDeadline, urgentDeadline)
    self.maximumPacketSize = maximumPacketSize
    (self.answerDeadline, self.backOff, self.lastingConnection) = (answerDeadline, backOff, lastingConnection)
    (self.window, self.assuredCapacity, self.retainAsPublished) = (window, assuredCapacity, retainAsPublished)
  }
}

/// The MQTT protocol versions that Grampad speaks.
package enum ProtocolVersion: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// MQTT 5, with a fallback to 3.1.1 for brokers that do not support it.
  case v5 = "5"
  /// MQTT 3.1.1 only.
  case v311 = "3.1.1"

  /// The version as users write it.
  package var description: String { rawValue }
}

/// A user name and its password.
package struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The user name.
  package var username: String
  /// The password, if there is one.
  package var password: String?

  /// Makes credentials.
  package init(username: String, password: String? = nil) {
    (self.username, self.password) = (username, password)
  }

  /// The user name only: the password never appears in a log.
  package var description: String { "Credentials(\(username))" }
  /// The user name only, also for `dump`.
  package var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}

/// The files of a TLS connection, in PEM format; read again on each attempt, so that renewed certificates are used.
package struct TLSSettings: Hashable, Sendable {
  /// The trusted CA certificates; `nil` for those of the system.
  package var caFile: String?
  /// The client certificate with its chain, for brokers that require one; together with `keyFile`.
  package var certificateFile: String?
  /// The key of the client certificate, without a passphrase.
  package var keyFile: String?

  /// Makes TLS settings.
  package init(caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
    (self.caFile, self.certificateFile, self.keyFile) = (caFile, certificateFile, keyFile)
  }
}
