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

  /// The pad.
  public var pad: Pad
  /// The broker.
  public var broker: Broker
  /// Where grams come from; `nil` without a pad.
  public var calibration: String?
  /// What was wrong with the configuration that was last tried and refused; `nil` when the file is in force.
  public var configurationFault: String?
  /// The program's version.
  public var version: String

  /// Makes a health report.
  public init(pad: Pad, broker: Broker, calibration: String?, configurationFault: String?, version: String) {
    self.pad = pad
    self.broker = broker
    self.calibration = calibration
    self.configurationFault = configurationFault
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
      if let calibration { json.string(calibration) } else { json.null() }
      json.key("configuration")
      json.object { json in
        if let configurationFault {
          json.fields(("state", "refused"), ("reason", configurationFault))
        } else {
          json.fields(("state", "in_force"))
        }
      }
      json.fields(("version", version))
    }
  }
}

extension JSONWriter {
  /// Writes keys with string values.
  mutating func fields(_ pairs: (String, String)...) {
    for (name, value) in pairs {
      key(name)
      string(value)
    }
  }
}
