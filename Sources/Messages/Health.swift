import Weighing

/// How the appliance is doing, for the `health` topic.
public struct Health: Hashable, Sendable {
  /// The pad.
  public enum Pad: Hashable, Sendable {
    /// It is there: its name and the path of its device, or `simulated`.
    case present(name: String, path: String)
    /// It is not, for this reason.
    case missing(String)
  }

  /// The broker.
  public enum Broker: Hashable, Sendable {
    /// A connection stands: the address and the MQTT version, `5` or `3.1.1`.
    case connected(address: String, version: String)
    /// None does, for this reason.
    case disconnected(String)
  }

  /// The journal.
  public enum Journal: Hashable, Sendable {
    /// It takes records: the path of its file.
    case available(path: String)
    /// It does not, for this reason.
    case unavailable(String)
  }

  /// The weighings on disk that a broker has not acknowledged.
  public struct Outbox: Hashable, Sendable {
    /// Number of weighings that wait to be sent.
    public var waiting: Int
    /// Number of weighings that the broker refused; they are sent again later.
    public var parked: Int
    /// Why the broker refused the last of them; `nil` while none is parked.
    public var parkedReason: String?

    /// Nothing waits.
    public static let empty = Outbox()

    /// Makes a count.
    public init(waiting: Int = 0, parked: Int = 0, parkedReason: String? = nil) {
      self.waiting = waiting
      self.parked = parked
      self.parkedReason = parkedReason
    }
  }

  /// The pad.
  public var pad: Pad
  /// The broker.
  public var broker: Broker
  /// Where grams come from; `nil` without a pad.
  public var calibration: String?
  /// What is to be said against the calibration: that it was made on another pad, or is yet to be made; left out of the
  /// payload while there is nothing.
  public var calibrationWarning: String?
  /// What makes the pad's readings doubtful; left out of the payload while there is nothing.
  public var padWarning: PadWarning?
  /// The journal.
  public var journal: Journal
  /// The highest sequence that the journal has given out; `nil` while that is not known.
  public var journalSequence: Int?
  /// Whether the system clock is synchronised.
  public var clock = ClockState.unsynchronised
  /// What waits to be sent.
  public var outbox: Outbox
  /// How many messages were dropped since the start because a queue was full, answers to refused commands included.
  public var droppedMessages = 0
  /// What was wrong with the configuration that was last tried and refused; `nil` when the file is in force.
  public var configurationError: String?
  /// The program's version.
  public var version: String

  /// Makes a health report.
  public init(
    pad: Pad, broker: Broker, calibration: String?, journal: Journal, outbox: Outbox = .empty,
    configurationError: String?, version: String
  ) {
    self.pad = pad
    self.broker = broker
    self.calibration = calibration
    self.journal = journal
    self.outbox = outbox
    self.configurationError = configurationError
    self.version = version
  }

  func write(to json: inout JSONWriter, time: String) {
    json.object { json in
      json.key("time")
      json.string(time)
      json.key("pad")
      json.object { json in
        switch pad {
        case .present(let name, let path):
          json.fields(("state", "present"), ("name", name), ("path", path))
          if let padWarning { json.fields(("warning", padWarning.rawValue)) }
        case .missing(let reason):
          json.fields(("state", "missing"), ("reason", reason))
        }
      }
      json.key("broker")
      json.object { json in
        switch broker {
        case .connected(let address, let version):
          json.fields(("state", "connected"), ("address", address), ("mqtt", version))
        case .disconnected(let reason):
          json.fields(("state", "disconnected"), ("reason", reason))
        }
      }
      json.key("calibration")
      json.string(calibration)
      if let calibrationWarning { json.fields(("calibration_warning", calibrationWarning)) }
      json.key("journal")
      json.object { json in
        switch journal {
        case .available(let path): json.fields(("state", "available"), ("path", path))
        case .unavailable(let reason): json.fields(("state", "unavailable"), ("reason", reason))
        }
        if let journalSequence {
          json.key("sequence")
          json.integer(journalSequence)
        }
      }
      json.key("outbox")
      json.object { json in
        json.key("waiting")
        json.integer(outbox.waiting)
        json.key("parked")
        json.integer(outbox.parked)
        json.key("parked_reason")
        json.string(outbox.parkedReason)
      }
      json.key("dropped_messages")
      json.integer(droppedMessages)
      json.key("configuration")
      json.object { json in
        if let configurationError {
          json.fields(("state", "refused"), ("reason", configurationError))
        } else {
          json.fields(("state", "in_force"))
        }
      }
      json.fields(("clock", clock.rawValue), ("version", version))
    }
  }
}

extension JSONWriter {
  /// Writes keys with string values.
  package mutating func fields(_ pairs: (String, String)...) {
    for (name, value) in pairs {
      key(name)
      string(value)
    }
  }
}
