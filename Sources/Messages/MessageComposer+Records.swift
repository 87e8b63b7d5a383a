import Weighing

extension MessageComposer {
  /// Makes the message for a weighing; the caller keeps it on disk until a broker has acknowledged it.
  ///
  /// - Parameter historical: Whether the weighing is older than the connection on which it is sent.
  public mutating func weighing(_ record: RecordedWeighing, historical: Bool) -> Message {
    message(.weighing, .assured) { json, _ in json.weighing(record, historical: historical) }
  }

  /// Makes the retained message for the newest weighing that is not voided; without one, the message clears the topic.
  ///
  /// - Parameter historical: Whether the weighing is older than the connection on which it is sent, or is published
  ///   because of a void or a relabel.
  public mutating func lastWeighing(_ record: RecordedWeighing?, historical: Bool) -> Message {
    guard let record else { return Message(topic: topics(.lastWeighing), payload: [], delivery: .retained) }
    return message(.lastWeighing, .retained) { json, _ in json.weighing(record, historical: historical) }
  }

  /// Makes the retained message for the quick actions; `command/actions` accepts its payload.
  public mutating func actions(_ list: [QuickAction]) -> Message {
    message(.actions, .retained) { json, _ in
      json.object { json in
        json.array("actions", list) { json, action in json.quickAction(action) }
      }
    }
  }

  /// Makes the retained message for the containers.
  public mutating func containers(_ list: [Container]) -> Message {
    message(.containers, .retained) { json, _ in
      json.object { json in
        json.array("containers", list) { json, container in
          json.object { json in
            json.field("name", container.name.description)
            json.field("tare_g", container.tare.value, decimals: 3)
            if container.isConfigured { json.field("configured", true) }
          }
        }
      }
    }
  }

  /// Makes the retained message for what was learned about stops.
  public mutating func learned(_ list: [LearnedStop]) -> Message {
    message(.learned, .retained) { json, _ in
      json.array { json in
        for stop in list {
          json.object { json in
            json.field("label", stop.label)
            if let time = stop.deadTime, time >= 0 { json.field("dead_time_ms", time * 1000, decimals: 0) }
            json.field("flow_g_s", stop.flow, decimals: 3)
            json.field("arrived_g", stop.arrived.value, decimals: 3)
            json.field("doses", stop.samples.count)
          }
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes a weighing: masses in grams, the time of RFC 3339 in UTC.
  ///
  /// - Parameter historical: Whether the weighing is published later than it was made, because there was no connection.
  public mutating func weighing(_ record: RecordedWeighing, historical: Bool) {
    let measurement = record.measurement
    object { json in
      json.fields(("id", record.id.description))
      json.field("sequence", record.sequence)
      json.fields(("kind", record.kind.rawValue), ("time", WallClock.recorded.text(record.time)))
      json.field("clock", record.clock?.rawValue)
      json.field("gross_g", measurement.gross)
      json.field("tare_g", measurement.tare)
      json.field("net_g", measurement.net)
      json.field("uncertainty_g", measurement.uncertainty?.value, decimals: 3)
      json.fields(
        ("pieces", measurement.pieces), ("label", record.label),
        ("source", record.source.rawValue), ("calibration", measurement.calibration.rawValue),
        ("calibration_counter", record.calibrationCounter), ("configuration_hash", record.configurationHash),
        ("historical", historical), ("voids", record.voids?.description), ("amends", record.amends?.description))
    }
  }

  /// Writes a quick action.
  mutating func quickAction(_ action: QuickAction) {
    object { json in
      json.fields(
        ("type", action.type), ("title", action.title), ("subtitle", action.subtitle), ("icon", action.icon),
        ("run", action.run.rawValue))
      json.object("user_info") { json in
        for parameter in action.userInfo { json.parameter(parameter) }
      }
    }
  }

  /// Writes a parameter as a field.
  mutating func parameter(_ parameter: QuickAction.Parameter) {
    key(parameter.name)
    switch parameter.value {
    case .text(let text): string(text)
    case .number(let number): self.number(number)
    case .flag(let flag): boolean(flag)
    }
  }
}
