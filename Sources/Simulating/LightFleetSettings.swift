import Messages
import Weighing

/// What a fleet of light devices does.
package struct LightFleetSettings: Sendable {
  /// The brokers; without TLS. Each device begins with another one, and has the others in the order of this list.
  package var brokers: [BrokerAddress]
  /// The newest protocol version to use.
  package var version: ProtocolVersion
  /// The user of all devices.
  package var credentials: Credentials?
  /// The common prefix of the topics, `mqtt.prefix`.
  package var prefix: String
  /// The devices are named `NAME-1`, `NAME-2`...
  package var name: String
  /// Number of devices.
  package var count: Int
  /// Number of weighings of all devices together; `nil` for no limit.
  package var weighings: Int?
  /// Weighings per second of all devices together.
  package var rate: Double
  /// The time from the last connection to the first weighing.
  package var delay: Interval
  /// The share of weighings that are only sent when they are asked for, 0 to 1.
  package var lostShare: Double
  /// Minimum time between two `health` messages of a connection, at least a second: they are sent before weighings.
  package var healthInterval: Interval
  /// Makes the masses and the losses.
  package var seed: UInt64
  /// Whether to keep answering after the last weighing is delivered.
  package var stays: Bool
  /// A file for all records; written at the end.
  package var records: LightRecordFile?

  /// Makes settings.
  package init(
    brokers: [BrokerAddress], version: ProtocolVersion = .v5, credentials: Credentials? = nil,
    prefix: String = "grampad", name: String, count: Int,
    weighings: Int? = nil, rate: Double, delay: Interval, lostShare: Double = 0,
    healthInterval: Interval, seed: UInt64, stays: Bool = false, records: LightRecordFile? = nil
  ) {
    (self.brokers, self.version, self.credentials, self.prefix) = (brokers, version, credentials, prefix)
    (self.name, self.count, self.weighings, self.rate) = (name, count, weighings, rate)
    (self.delay, self.lostShare, self.healthInterval, self.seed) = (delay, lostShare, healthInterval, seed)
    (self.stays, self.records) = (stays, records)
  }
}

/// Why a fleet of light devices cannot run, or not to its end.
package enum LightFleetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host name of the broker could not be resolved; with the resolver's message.
  case unknownHost(String, String)
  /// Too few files can be open; with the numbers and what to do.
  case tooFewDescriptors(String)
  /// The records cannot be written at the end; with the system's message, and what the fleet has done.
  case recordsNotWritten(path: String, String, LightFleetSummary)

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .unknownHost(let host, let reason): "cannot resolve '\(host)' (\(reason)): check --broker and the DNS server"
    case .tooFewDescriptors(let text): text
    case .recordsNotWritten(let path, let reason, _): "cannot write '\(path)': \(reason)"
    }
  }
}

/// What a fleet has done.
package struct LightFleetSummary: Hashable, Sendable {
  /// Number of devices that are connected.
  package var connected = 0
  /// Number of records made.
  package var recorded = 0
  /// Number of records that the broker has acknowledged, each counted once.
  package var delivered = 0
  /// Number of records sent again because a client asked for them.
  package var resent = 0
  /// Number of requests of clients.
  package var requests = 0
  /// Number of connections that were established.
  package var connections = 0

  /// One JSON object.
  package var json: String {
    let json = JSONWriter.object { json in
      json.fields(
        ("connected", connected), ("recorded", recorded), ("delivered", delivered), ("resent", resent),
        ("requests", requests), ("connections", connections))
    }
    return String(decoding: json, as: UTF8.self)
  }
}
