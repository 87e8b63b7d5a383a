import Languages
import Weighing

/// The health of the appliance, for the topic `health`.
public struct Health: Hashable, Sendable {
  /// The state of the pad.
  public enum Pad: Hashable, Sendable {
    /// A pad is connected: its name and the path of its device, or `simulated`.
    case present(name: String, path: String)
    /// No pad is connected, for this reason.
    case missing(Sentence)
  }

  /// The state of the connection to the broker.
  public enum Broker: Hashable, Sendable {
    /// Connected: the address and the MQTT version, `5` or `3.1.1`.
    case connected(address: String, version: String)
    /// Not connected, for this reason.
    case disconnected(Sentence)
  }

  /// The state of the journal.
  public enum Journal: Hashable, Sendable {
    /// The journal writes records: the path of its file, and what is wrong with it all the same.
    case available(path: String, warning: Sentence? = nil)
    /// The journal cannot write records, for this reason.
    case unavailable(Sentence)
  }

  /// The state of the keyboard that types the weighings.
  public enum Keyboard: Hashable, Sendable {
    /// It exists.
    case available
    /// It could not be made, for this reason.
    case unavailable(Sentence)
  }

  /// The number of weighings on disk that no broker has acknowledged.
  public struct Outbox: Hashable, Sendable {
    /// The number of weighings to send.
    public var waiting: Int
    /// The number of weighings that the broker refused; they are sent again later.
    public var parked: Int
    /// Why the broker refused the last of them; `nil` if none are parked.
    public var parkedReason: Sentence?

    /// An empty outbox.
    public static let empty = Outbox()

    /// Makes an outbox.
    public init(waiting: Int = 0, parked: Int = 0, parkedReason: Sentence? = nil) {
      (self.waiting, self.parked, self.parkedReason) = (waiting, parked, parkedReason)
    }
  }

  /// The pad.
  public var pad: Pad
  /// The broker.
  public var broker: Broker
  /// The origin of the calibration; `nil` without a pad.
  public var calibration: String?
  /// A problem with the calibration, such as that it is missing or was made on another pad; left out of the payload if
  /// there are no problems.
  public var calibrationWarning: Sentence?
  /// When the calibration was made, as its file says: RFC 3339 in UTC; left out of the payload if unknown.
  public var calibrationTime: String?
  /// A problem that makes the readings of the pad unreliable; left out of the payload if there are no problems.
  public var padWarning: PadWarning?
  /// How the pad is not set up as configured, such as the rate of a load-cell converter; left out of the payload if there
  /// are no problems.
  public var padSetupWarning: Sentence?
  /// How the pad samples the load; left out of the payload before the first load at rest.
  public var sampling: SamplingReport?
  /// The journal.
  public var journal: Journal
  /// The highest sequence number of the journal; `nil` while it is unknown.
  public var journalSequence: Int?
  /// Whether the system clock is synchronised.
  public var clock = ClockState.unsynchronised
  /// The keyboard that types the weighings; `nil` while it is off, and left out of the payload.
  public var keyboard: Keyboard?
  /// The URL of the web page; `nil` without one, and left out of the payload.
  public var page: String?
  /// How masses are shown; `nil` in grams, and left out of the payload: masses are multiples of the division already.
  public var display: DisplayUnit?
  /// The outbox.
  public var outbox: Outbox
  /// The number of messages dropped since the start because a queue was full, including answers to rejected commands.
  public var droppedMessages = 0
  /// Why the configuration file was rejected; `nil` if the file is in force.
  public var configurationError: Sentence?
  /// What has changed in the configuration file and applies only after a restart; `nil` if the file is in force.
  public var restartAdvice: Sentence?
  /// What the settings have that this version does not know, and that has no effect; `nil` if there is nothing.
  public var unknownSettings: Sentence?
  /// The program's version.
  public var version: String

  /// Makes a health report.
  public init(
    pad: Pad, broker: Broker, calibration: String?, journal: Journal, outbox: Outbox = .empty,
    configurationError: Sentence?, version: String
  ) {
    (self.pad, self.broker, self.calibration, self.journal) = (pad, broker, calibration, journal)
    (self.outbox, self.configurationError, self.version) = (outbox, configurationError, version)
  }

  /// Describes the display of a scale with such settings.
  public mutating func setDisplay(_ settings: ScaleSettings) {
    display = settings.scale.unit == .gram ? nil : settings.scale.display
  }

  func write(to json: inout JSONWriter, time: String) {
    json.object { json in
      json.field("time", time)
      json.object("pad") { json in
        switch pad {
        case .present(let name, let path):
          json.fields(("state", "present"), ("name", name), ("path", path))
          if let padWarning {
            json.fields(("warning", padWarning.rawValue))
            json.sentence("advice", padWarning.advice)
          }
          if let padSetupWarning { json.sentence("setup_warning", padSetupWarning) }
          if let sampling { write(sampling, to: &json) }
        case .missing(let reason):
          json.fields(("state", "missing"))
          json.sentence("reason", reason)
        }
      }
      json.object("broker") { json in
        switch broker {
        case .connected(let address, let version):
          json.fields(("state", "connected"), ("address", address), ("mqtt", version))
        case .disconnected(let reason):
          json.fields(("state", "disconnected"))
          json.sentence("reason", reason)
        }
      }
      json.field("calibration", calibration)
      if let calibrationWarning { json.sentence("calibration_warning", calibrationWarning) }
      if let calibrationTime { json.fields(("calibration_time", calibrationTime)) }
      json.object("journal") { json in
        switch journal {
        case .available(let path, let warning):
          json.fields(("state", "available"), ("path", path))
          if let warning { json.sentence("warning", warning) }
        case .unavailable(let reason):
          json.fields(("state", "unavailable"))
          json.sentence("reason", reason)
        }
        if let journalSequence { json.field("sequence", journalSequence) }
      }
      if let keyboard {
        json.object("keyboard") { json in
          switch keyboard {
          case .available: json.fields(("state", "available"))
          case .unavailable(let reason):
            json.fields(("state", "unavailable"))
            json.sentence("reason", reason)
          }
        }
      }
      if let page { json.fields(("page", page)) }
      if let display {
        json.object("display") { json in
          json.fields(("unit", display.unit.rawValue), ("step", display.step))
        }
      }
      json.object("outbox") { json in
        json.fields(("waiting", outbox.waiting), ("parked", outbox.parked))
        json.sentence("parked_reason", or: outbox.parkedReason)
      }
      json.field("dropped_messages", droppedMessages)
      json.object("configuration") { json in
        if let configurationError {
          json.fields(("state", "refused"))
          json.sentence("reason", configurationError)
        } else if let restartAdvice {
          json.fields(("state", "restart_required"))
          json.sentence("reason", restartAdvice)
        } else if let unknownSettings {
          json.fields(("state", "unknown_settings"))
          json.sentence("reason", unknownSettings)
        } else {
          json.fields(("state", "in_force"))
        }
      }
      json.fields(("clock", clock.rawValue), ("version", version))
    }
  }
}
