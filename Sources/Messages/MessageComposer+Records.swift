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
        json.key("actions")
        json.array { json in
          for action in list { json.quickAction(action) }
        }
      }
    }
  }

  /// Makes the retained message for the containers.
  public mutating func containers(_ list: [Container]) -> Message {
    message(.containers, .retained) { json, _ in
      json.object { json in
        json.key("containers")
        json.array { json in
          for container in list {
            json.object { json in
              json.fields(("name", container.name.description))
              json.key("tare_g")
              json.grams(container.tare)
              guard container.isConfigured else { return }
              json.key("configured")
              json.boolean(true)
            }
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
      json.key("sequence")
      json.integer(record.sequence)
      json.fields(("kind", record.kind.rawValue), ("time", WallClock.recorded.text(record.time)))
      json.key("clock")
      json.string(record.clock?.rawValue)
      json.key("gross_g")
      json.mass(measurement.gross)
      json.key("tare_g")
      json.mass(measurement.tare)
      json.key("net_g")
      json.mass(measurement.net)
      json.key("uncertainty_g")
      json.grams(measurement.uncertainty)
      json.key("pieces")
      if let pieces = measurement.pieces { json.integer(pieces) } else { json.null() }
      json.key("label")
      json.string(record.label)
      json.fields(("source", record.source.rawValue), ("calibration", measurement.calibration.rawValue))
      json.key("calibration_counter")
      json.integer(record.calibrationCounter)
      json.fields(("configuration_hash", record.configurationHash))
      json.key("historical")
      json.boolean(historical)
      json.key("voids")
      json.string(record.voids?.description)
      json.key("amends")
      json.string(record.amends?.description)
    }
  }

  /// Writes a quick action.
  mutating func quickAction(_ action: QuickAction) {
    object { json in
      json.fields(("type", action.type), ("title", action.title))
      json.key("subtitle")
      json.string(action.subtitle)
      json.key("icon")
      json.string(action.icon)
      json.fields(("run", action.run.rawValue))
      json.key("user_info")
      json.object { json in
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
