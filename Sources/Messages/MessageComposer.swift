import Weighing

/// Turns effects into messages.
public struct MessageComposer: Sendable {
  /// The topics of the appliance.
  public let topics: Topics
  /// After how long a live reading is of no use to anybody.
  public let liveExpiry: Interval
  /// The time of day; the appliance sets it before each use, because the clock of a small board jumps.
  public var clock: WallClock

  var json = JSONWriter()

  /// Makes a composer.
  public init(topics: Topics, heartbeat: Interval, clock: WallClock) {
    self.topics = topics
    // Two heartbeats: a subscriber that has missed one still gets the other.
    liveExpiry = max(heartbeat * 2, .seconds(1))
    self.clock = clock
  }

  /// The messages that an effect stands for, in the order in which they are to be sent.
  public mutating func messages(for effect: Effect) -> [Message] {
    switch effect {
    case .live(let reading):
      [
        message(.live, .live, expiry: liveExpiry, write(reading)),
        message(.display, .live, expiry: liveExpiry, Array(reading.printable.utf8)),
      ]
    case .settled(let reading): [message(.stable, .retained, write(reading))]
    case .contacts(let report): [message(.contacts, .live, expiry: liveExpiry, write(report))]
    case .event(let event): [message(.event, .assured, write(event))]
    case .result(let result): [answer(result, to: .nobody)]
    case .gesture(let report): [message(.gesture, .live, expiry: liveExpiry, write(report))]
    case .weighing(let record, _): [lastWeighing(record, historical: false)]
    case .actions(let list, _): [actions(list)]
    case .feedback, .record: []
    }
  }

  /// `online` or `offline`.
  public func availability(_ online: Bool) -> Message {
    message(.availability, .retained, Array((online ? "online" : "offline").utf8))
  }

  /// The health report.
  public mutating func health(_ health: Health, at time: Instant) -> Message {
    json.reset()
    health.write(to: &json, time: clock.text(time))
    return message(.health, .retained, json.bytes)
  }

  func message(
    _ topic: Topic, _ delivery: Message.Delivery, expiry: Interval? = nil, _ payload: [UInt8]
  ) -> Message {
    Message(topic: topics(topic), payload: payload, delivery: delivery, expiry: expiry)
  }

  private mutating func write(_ reading: Reading) -> [UInt8] {
    json.reset()
    json.reading(reading, clock: clock)
    return json.bytes
  }

  private mutating func write(_ report: ContactsReport) -> [UInt8] {
    json.reset()
    json.object { json in
      json.fields(("time", clock.text(report.time)))
      json.key("contacts")
      json.array { json in
        for entry in report.entries {
          json.object { json in
            for (name, value) in [("x", entry.contact.position?.x), ("y", entry.contact.position?.y)] {
              json.key(name)
              if let value { json.number(value, decimals: 4) } else { json.null() }
            }
            json.key("force")
            json.number(entry.force, decimals: 4)
            json.key("raw")
            json.integer(entry.contact.raw.counts)
            json.key("weighs")
            json.boolean(entry.weighs)
          }
        }
      }
    }
    return json.bytes
  }

  private mutating func write(_ report: GestureReport) -> [UInt8] {
    json.reset()
    json.object { json in
      json.fields(("time", clock.text(report.time)), ("action", report.action), ("state", report.state.rawValue))
      json.key("intention")
      json.number(report.intention, decimals: 4)
      json.key("preview")
      if let preview = report.preview { json.reading(preview, clock: clock) } else { json.null() }
    }
    return json.bytes
  }

  private mutating func write(_ event: ScaleEvent) -> [UInt8] {
    json.reset()
    json.object { json in
      json.fields(("type", event.kind.name), ("time", clock.text(event.time)))
      switch event.kind {
      case .tared(let tare):
        json.key("tare_g")
        json.mass(tare)
      case .rejected(let action, let rejection):
        json.fields(("action", action), ("reason", rejection.rawValue))
      case .voided(let id): json.fields(("id", id.description))
      case .padLost(let reason): json.fields(("reason", reason))
      case .padFound(let name): json.fields(("name", name))
      case .tareCleared, .zeroed, .overload, .calibrated, .reloaded: break
      }
      json.key("tare_epoch")
      json.integer(event.tareEpoch)
    }
    return json.bytes
  }
}

extension JSONWriter {
  /// Writes a Reading.
  mutating func reading(_ reading: Reading, clock: WallClock) {
    object { json in
      json.fields(("time", clock.text(reading.time)), ("state", reading.state.rawValue))
      json.key("gross_g")
      json.mass(reading.gross)
      json.key("tare_g")
      json.mass(reading.tare)
      json.key("net_g")
      if let net = reading.net { json.mass(net) } else { json.null() }
      json.key("high_resolution_g")
      json.grams(reading.highResolution)
      json.key("uncertainty_g")
      json.grams(reading.uncertainty)
      json.key("stable")
      json.boolean(reading.isStable)
      json.key("inside_zero")
      json.boolean(reading.isInsideZero)
      json.key("overload")
      json.boolean(reading.isOverloaded)
      json.key("underload")
      json.boolean(reading.isUnderloaded)
      json.fields(("printable", reading.printable))
      json.key("raw")
      json.integer(reading.raw.counts)
      json.key("force")
      json.number(reading.force, decimals: 4)
      json.key("calibration")
      if let origin = reading.calibration { json.string(origin.rawValue) } else { json.null() }
      json.key("tare_epoch")
      json.integer(reading.tareEpoch)
    }
  }

  /// Writes a displayed mass as a number with the decimals of its division.
  mutating func mass(_ mass: DisplayedMass) {
    number(mass.mass.value, decimals: mass.division.decimals)
  }

  /// Writes a mass to a thousandth of a gram, or `null`.
  mutating func grams(_ mass: Grams?) {
    if let mass { number(mass.value, decimals: 3) } else { null() }
  }
}

extension ScaleEvent.Kind {
  /// The name in the payload's `type`.
  var name: String {
    switch self {
    case .tared: "tared"
    case .tareCleared: "tare_cleared"
    case .zeroed: "zeroed"
    case .rejected: "rejected"
    case .voided: "voided"
    case .overload: "overload"
    case .padLost: "pad_lost"
    case .padFound: "pad_found"
    case .calibrated: "calibrated"
    case .reloaded: "reloaded"
    }
  }
}
