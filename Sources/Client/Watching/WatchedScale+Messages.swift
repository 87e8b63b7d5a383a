import Messages
import Weighing

extension WatchedScale {
  /// The topics to subscribe to.
  package var filters: [String] {
    let all: [Topic] = [
      .availability, .health, .live, .gesture, .weighing, .lastWeighing, .event, .actions, .result,
    ]
    return all.map { topics($0) }
  }

  /// Updates the state with a message from the broker.
  package mutating func update(with message: IncomingMessage, at now: Instant) {
    guard let below = topics.below(message.topic), let topic = Topic(rawValue: below) else { return }
    if topic == .availability { return setOnline(message.payload.elementsEqual("online".utf8), at: now) }
    if topic == .lastWeighing, message.payload.isEmpty { return records.setLast(nil) }
    guard let json = try? JSONValue(message.payload, maximumBytes: 1 << 17) else { return }
    switch topic {
    case .live: updateReading(json, at: now)
    case .gesture: updatePress(json)
    case .weighing: records.append(json)
    case .lastWeighing: records.setLast(json)
    case .event: showEvent(json, at: now)
    case .actions: updateQuickActions(json)
    case .health: updateHealth(json)
    case .availability, .reading, .display, .stable, .contacts, .result: break
    }
  }

  private mutating func setOnline(_ isOnline: Bool, at now: Instant) {
    self.isOnline = isOnline
    if !isOnline {
      press = nil
      lastMinute.append(.nothing, at: now)
    }
  }

  private mutating func updateReading(_ json: JSONValue, at now: Instant) {
    guard let printable = json["printable"]?.text, let state = json["state"]?.text.flatMap(Reading.State.init) else {
      return
    }
    // An appliance that sends readings is running, even if its `online` was lost.
    isOnline = true
    readingTime = now
    let net = json["net_g"]?.number
    reading = DisplayedReading(
      printable: printable, state: state, gross: Self.mass(json["gross_g"]), tare: Self.mass(json["tare_g"]),
      uncertainty: json["uncertainty_g"]?.number, net: net, isUnderloaded: json["underload"]?.isTrue == true)
    // A mass outside the range of any scale does not belong in the chart.
    let drawn = net.flatMap { $0.magnitude < 1e9 ? LastMinute.Level.mass($0) : nil } ?? .nothing
    lastMinute.append(state == .overload ? .overload : drawn, at: now)
  }

  private mutating func updatePress(_ json: JSONValue) {
    guard let action = json["action"]?.text, let state = json["state"]?.text.flatMap(GestureReport.State.init),
      let intention = json["intention"]?.number
    else { return }
    press = state == .idle ? nil : Press(action: action, state: state, intention: min(max(intention, 0), 1))
  }

  private mutating func showEvent(_ json: JSONValue, at now: Instant) {
    // Voids and relabels are shown as records.
    guard let type = json["type"]?.text, type != "voided", type != "relabelled" else { return }
    let rest = ["action", "reason", "name"].compactMap { json[$0]?.text }.joined(separator: ": ")
    let mass = json["tare_g"].map { " \(Self.mass($0)) g" } ?? ""
    let numbers = Self.numbers(json)
    let text = type.replacing("_", with: " ") + mass + (rest.isEmpty ? "" : ", " + rest) + numbers
    setNotice(
      text, isGood: !["rejected", "overload", "pad_lost", "journal_loss", "pad_suspect"].contains(type), at: now)
  }

  /// The range of weighings in a `journal_loss`.
  private static func numbers(_ json: JSONValue) -> String {
    guard case .number(let from)? = json["from"], case .number(let to)? = json["to"] else { return "" }
    return " \(mass(.number(from)))...\(mass(.number(to)))"
  }

  private mutating func updateQuickActions(_ json: JSONValue) {
    guard case .array(let items)? = json["actions"] else { return }
    quickActions = items.prefix(QuickAction.maximumCount).compactMap { item in
      guard let type = item["type"]?.text, QuickAction.isType(type) else { return nil }
      return QuickActionTitle(type: type, title: item["title"]?.text ?? type)
    }
  }

  private mutating func updateHealth(_ json: JSONValue) {
    let waiting = json["outbox"]?["waiting"]?.number ?? 0
    let parked = json["outbox"]?["parked"]?.number ?? 0
    health = [
      item("pad", json["pad"], good: "present", detail: "name"),
      item("journal", json["journal"], good: "available", detail: nil),
      HealthItem(
        name: "outbox",
        text: Self.mass(.number(waiting)) + (parked > 0 ? ", \(Self.mass(.number(parked))) refused" : ""),
        isGood: waiting == 0 && parked == 0),
      HealthItem(
        name: "calibration", text: json["calibration_warning"]?.text ?? json["calibration"]?.text ?? "none",
        isGood: json["calibration_warning"] == nil),
      item("configuration", json["configuration"], good: "in_force", detail: nil),
    ]
  }

  private func item(_ name: String, _ json: JSONValue?, good: String, detail: String?) -> HealthItem {
    let isGood = json?["state"]?.text == good
    let text = isGood ? detail.flatMap { json?[$0]?.text } ?? "ok" : json?["reason"]?.text ?? "unknown"
    return HealthItem(name: name, text: text, isGood: isGood)
  }

  /// A number exactly as in the payload.
  static func mass(_ value: JSONValue?) -> String {
    guard let number = value?.number else { return "--" }
    var writer = JSONWriter()
    writer.number(number)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// The value of a number.
  var number: Double? { if case .number(let number) = self { number } else { nil } }
}
