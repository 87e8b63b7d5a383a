import Messages
import Weighing

/// All that a link has to know: which brokers, as whom, and how patiently.
package struct LinkSettings: Hashable, Sendable {
  /// The brokers in order of preference; the first is tried first. Must not be empty.
  package var brokers: [BrokerAddress]
  /// The client identifier, unique at the broker: a second client of the same name throws the first one out.
  package var clientID: String
  /// The newest protocol version to speak.
  package var version: ProtocolVersion
  /// The name and password to give, if any.
  package var credentials: Credentials?
  /// The files for brokers reached by `mqtts://`.
  package var tls: TLSSettings
  /// What the broker publishes for us when the connection ends without a goodbye; its topic is also the first to be
  /// published after each connection.
  package var will: Message?
  /// The MQTT keep-alive: after this time without traffic in one direction a ping is sent.
  ///
  /// Whole seconds; libmosquitto accepts nothing below 5 s. 7 s and `pingDeadline` together notice a frozen broker within
  /// 12 s, at 0.3 wake-ups a second.
  package var keepAlive: Interval
  /// How long a broker may take to answer a ping.
  package var pingDeadline: Interval
  /// How long a broker may take to acknowledge a message or a subscription.
  package var acknowledgementDeadline: Interval
  /// The largest packet that a broker may send, in bytes (MQTT 5).
  ///
  /// libmosquitto reads a packet whole before anyone sees it. The largest useful one is a list of quick actions: 128 KiB, and
  /// up to 64 KiB each of topic and correlation data. A broker drops a larger packet without a word to its sender; the default
  /// of 2 MiB therefore leaves room to answer a command that is too long.
  package var maximumPacketSize: UInt32
  /// How long a broker may take from the first packet to its CONNACK.
  package var answerDeadline: Interval
  /// The waits between rounds of attempts.
  package var backOff: BackOff
  /// A connection that lasted this long counts as a good one: the next wait is short again.
  package var lastingConnection: Interval
  /// How many QoS 1 messages may be unacknowledged at a time; a broker's own receive maximum may lower it.
  package var window: Int
  /// How many messages of `Message.Delivery.assured` are kept while they cannot be sent; the oldest gives way.
  package var assuredCapacity: Int

  /// Makes settings; the values left out are those for a scale in a house.
  package init(
    brokers: [BrokerAddress], clientID: String, version: ProtocolVersion = .v5, credentials: Credentials? = nil,
    tls: TLSSettings = TLSSettings(), will: Message? = nil, keepAlive: Interval = .seconds(7),
    pingDeadline: Interval = .seconds(5), acknowledgementDeadline: Interval = .seconds(30),
    maximumPacketSize: UInt32 = 2_097_152, answerDeadline: Interval = .seconds(5), backOff: BackOff = BackOff(),
    lastingConnection: Interval = .seconds(3),
    window: Int = 20, assuredCapacity: Int = 1000
  ) {
    self.brokers = brokers
    self.clientID = clientID
    self.version = version
    self.credentials = credentials
    self.tls = tls
    self.will = will
    self.keepAlive = keepAlive
    self.pingDeadline = pingDeadline
    self.acknowledgementDeadline = acknowledgementDeadline
    self.maximumPacketSize = maximumPacketSize
    self.answerDeadline = answerDeadline
    self.backOff = backOff
    self.lastingConnection = lastingConnection
    self.window = window
    self.assuredCapacity = assuredCapacity
  }
}

/// The MQTT protocol versions that Grampad speaks.
package enum ProtocolVersion: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// MQTT 5; a broker that does not know it is spoken to in 3.1.1.
  case v5 = "5"
  /// MQTT 3.1.1 and nothing else.
  case v311 = "3.1.1"

  /// The version as a person writes it.
  package var description: String { rawValue }
}

/// A name and the secret that goes with it.
package struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The user name.
  package var username: String
  /// The password, if there is one.
  package var password: String?

  /// Makes credentials.
  package init(username: String, password: String? = nil) {
    self.username = username
    self.password = password
  }

  /// The user name alone: the password never shows up in a log.
  package var description: String { "Credentials(\(username))" }
  /// The user name alone, also for `dump`.
  package var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}

/// The files of a TLS connection, all PEM; read again at each attempt, so that a renewed certificate is picked up.
package struct TLSSettings: Hashable, Sendable {
  /// The certificates of those who may vouch for a broker; `nil` for those the system trusts.
  package var caFile: String?
  /// Our own certificate with its chain, for brokers that ask for one; goes with `keyFile`.
  package var certificateFile: String?
  /// The key of our own certificate, without a passphrase.
  package var keyFile: String?

  /// Makes TLS settings.
  package init(caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
    self.caFile = caFile
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }
}
