import Languages
import Messages
import Weighing

/// The state of a remote scale, derived from its messages.
///
/// A broker may deliver anything: messages that are not valid payloads of the scale are ignored.
package struct WatchedScale: Hashable, Sendable {
  /// The connection to the broker.
  package enum Connection: Hashable, Sendable {
    /// Not connected, or disconnected; with the reason, if there is one.
    case down(Sentence?)
    /// Connected; with the address of the broker.
    case up(String)
  }

  /// The part of a reading that is shown.
  struct DisplayedReading: Hashable, Sendable {
    var printable: String
    var state: Reading.State
    var origin: Calibration.Origin?
    /// In grams.
    var gross: Double?
    var tare: Double?
    var uncertainty: Double?
    var net: Double?
    var isUnderloaded: Bool
    var instruments: WatchedInstruments
  }

  /// A quick action.
  package struct QuickActionTitle: Hashable, Sendable {
    /// Its name in commands.
    package var type: String
    /// The displayed title.
    package var title: String
  }

  /// The topics of the appliance.
  package let topics: Topics
  /// The texts in the language of the user.
  package let texts: Texts
  /// The time without a reading after which it is stale: two heartbeats and a second.
  let patience: Interval
  /// The display, as the appliance says it, before that according to the local configuration; `nil` if it is unknown.
  private var display: DisplayUnit?

  /// The connection to the broker.
  package private(set) var connection = Connection.down(nil)
  /// Whether the appliance is online; `nil` before the first message.
  private(set) var isOnline: Bool?
  private(set) var reading: DisplayedReading?
  private(set) var readingTime: Instant?
  private(set) var press: WatchedPress?
  private(set) var control: WatchedControl?
  private(set) var records = WatchedRecords()
  /// The unit in which masses are shown.
  var unit: TerminalUnit { records.unit }
  /// The quick actions in order.
  package private(set) var quickActions: [QuickActionTitle] = []
  private(set) var health: [HealthItem] = []
  private(set) var lastMinute = LastMinute()
  /// The last notice and its time.
  private(set) var notice: (text: String, isGood: Bool, time: Instant)?

  /// Makes an empty state.
  ///
  /// - Parameters:
  ///   - display: The display according to the local configuration.
  ///   - texts: The texts in the language of the user.
  package init(topics: Topics, heartbeat: Interval, display: DisplayUnit? = nil, texts: Texts = .english) {
    (self.topics, self.texts, self.display) = (topics, texts, display)
    patience = heartbeat * 2 + .seconds(1)
  }

  /// The health of a part of the appliance.
  struct HealthItem: Hashable, Sendable {
    var name: String
    var text: String
    var isGood: Bool
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.connection == b.connection && a.isOnline == b.isOnline && a.reading == b.reading && a.press == b.press
      && a.control == b.control && a.records == b.records && a.quickActions == b.quickActions && a.health == b.health
      && a.notice?.text == b.notice?.text && a.lastMinute == b.lastMinute
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(reading) }

  /// Whether the displayed state is out of date.
  func isStale(at now: Instant) -> Bool {
    guard case .up = connection, isOnline != false, let readingTime else { return true }
    return now - readingTime > patience
  }

  /// Asks to confirm a void without an identifier; a statement if there is nothing left to void.
  package var voidQuestion: String {
    func again(_ question: String) -> String { "\(question) \(texts(.askVoidAgain))" }
    guard let weighing = records.newestWeighing else { return again(texts(.askVoidLast)) }
    let number = ["number": "#\(weighing.sequence)"]
    guard !records.isVoided(weighing) else { return texts(.alreadyVoided, number) }
    let label = records.label(of: weighing).map { ", " + $0 } ?? ""
    return again(texts(.askVoid, number.merging(["weighing": unit.text(weighing.net) + label]) { $1 }))
  }

  /// Sets the notice that is shown until the next one.
  package mutating func setNotice(_ text: String, isGood: Bool, at now: Instant) { notice = (text, isGood, now) }

  /// Sets the state of the connection.
  package mutating func setConnection(_ connection: Connection, at now: Instant) {
    self.connection = connection
    if case .down = connection {
      // Whether the appliance is still running is unknown.
      isOnline = nil
      press = nil
      control = nil
      lastMinute.append(.nothing, at: now)
    }
  }
}

// MARK: Messages

extension WatchedScale {
  /// The topics to subscribe to.
  package var filters: [String] {
    let all: [Topic] = [
      .availability, .health, .live, .gesture, .weighing, .lastWeighing, .event, .actions, .result,
    ]
    return all.map { topics($0) } + [topics(.control) + "/+"]
  }

  /// Updates the state with a message from the broker.
  package mutating func update(with message: IncomingMessage, at now: Instant) {
    guard let topic = topics.topic(of: message.topic) else { return }
    if topic == .availability { return setOnline(message.payload.elementsEqual("online".utf8), at: now) }
    if topic == .lastWeighing, message.payload.isEmpty { return records.setLast(nil) }
    guard let json = try? JSONValue(message.payload, maximumBytes: 1 << 17) else { return }
    switch topic {
    case .live: updateReading(json, at: now)
    case .gesture: if let new = WatchedPress(json) { press = new.state == .idle ? nil : new }
    case .control: WatchedControl.update(&control, json, name: topics.control(of: message.topic))
    case .weighing: records.append(json)
    case .lastWeighing: records.setLast(json)
    case .event: showEvent(json, at: now)
    case .actions: updateQuickActions(json)
    case .health: updateHealth(json)
    case .availability, .reading, .display, .stable, .contacts, .containers, .learned, .result: break
    }
  }

  private mutating func setOnline(_ isOnline: Bool, at now: Instant) {
    self.isOnline = isOnline
    if !isOnline {
      press = nil
      control = nil
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
      printable: printable, state: state, origin: json["calibration"]?.text.flatMap(Calibration.Origin.init),
      gross: json["gross_g"]?.number, tare: json["tare_g"]?.number,
      uncertainty: json["uncertainty_g"]?.number, net: net, isUnderloaded: json["underload"]?.isTrue == true,
      instruments: WatchedInstruments(json))
    updateUnit()
    // A mass outside the range of any scale does not belong in the chart.
    let drawn = net.flatMap { $0.magnitude < 1e9 ? LastMinute.Level.mass($0) : nil } ?? .nothing
    lastMinute.append(state == .overload ? .overload : drawn, at: now)
  }

  private mutating func updateUnit() {
    // The capacity, which is shown in overload, may have fewer decimals.
    guard let reading, reading.state != .overload else { return }
    if let unit = TerminalUnit(printable: reading.printable, configured: display) { records.unit = unit }
  }

  private mutating func showEvent(_ json: JSONValue, at now: Instant) {
    guard let type = json["type"]?.text else { return }
    // Voids and relabels are shown as records.
    if type == "voided" || type == "relabelled" { return records.setNumber(json) }
    if type.hasPrefix("pairing_"), let name = json["name"]?.text,
      let text = texts.pairing(String(type.dropFirst("pairing_".count)), name: name)
    {
      return setNotice(text, isGood: type != "pairing_refused", at: now)
    }
    let reason = json["reason"]?.text.flatMap { texts.reason($0) } ?? Sentence(json, "reason").map { texts($0) }
    let rest = [
      json["action"]?.text.map { texts.title(ofAction: $0) }, Sentence(json, "detail").map { texts($0) } ?? reason,
      json["name"]?.text, json["label"]?.text ?? json["code"]?.text, json["container"]?.text,
    ].compactMap(\.self).joined(separator: ": ")
    let text = texts.event(type) + value(of: json) + (rest.isEmpty ? "" : ", " + rest)
    setNotice(
      text, isGood: !Self.bad.contains(type), at: now)
  }

  /// The events that the user should see as a problem.
  private static let bad: Set = [
    "rejected", "overload", "pad_lost", "journal_loss", "journal_recovered", "pad_suspect",
  ]

  /// The mass or the time of an event, the record of a `journal_recovered`, or the range of weighings of a `journal_loss`.
  private func value(of json: JSONValue) -> String {
    if let weighing = json["weighing"] { return " " + WatchedPress.Weighing(weighing).text(unit) }
    if let tare = json["tare_g"] { return " " + unit.text(tare.number) }
    if let target = json["target_g"]?.number { return ": " + unit.text(given: target) }
    if let timer = json["timer_s"]?.number, timer > 0 {
      return " " + texts(.atSeconds, ["seconds": DecimalText.trimmed(timer, decimals: 1)])
    }
    if let sequence = json["sequence"] { return " #\(Self.mass(sequence))" }
    guard case .number(let from)? = json["from"], case .number(let to)? = json["to"] else { return "" }
    return " \(Self.mass(.number(from)))...\(Self.mass(.number(to)))"
  }

  private mutating func updateQuickActions(_ json: JSONValue) {
    guard case .array(let items)? = json["actions"] else { return }
    quickActions = items.prefix(QuickAction.maximumCount).compactMap { item in
      guard let type = item["type"]?.text, QuickAction.isType(type) else { return nil }
      return QuickActionTitle(type: type, title: item["title"]?.text ?? type)
    }
  }

  private mutating func updateHealth(_ json: JSONValue) {
    if let unit = json["display"]?["unit"]?.text.flatMap(MassUnit.init), let step = json["display"]?["step"]?.number,
      let display = DisplayUnit(unit, step: step)
    {
      self.display = display
      updateUnit()
    }
    let waiting = json["outbox"]?["waiting"]?.number ?? 0
    let parked = json["outbox"]?["parked"]?.number ?? 0
    health = [
      json["pad"]?["warning"]?.text.map { code in
        let text = PadWarning(rawValue: code).map { texts($0.advice) }
        return HealthItem(name: texts(.healthPad), text: text ?? code, isGood: false)
      } ?? item(.healthPad, json["pad"], good: "present", detail: "name"),
      Sentence(json["journal"], "warning").map {
        HealthItem(name: texts(.healthJournal), text: texts($0), isGood: false)
      } ?? item(.healthJournal, json["journal"], good: "available", detail: nil),
      HealthItem(
        name: texts(.healthOutbox),
        text: Self.mass(.number(waiting))
          + (parked > 0 ? ", " + texts(.healthRefused, ["number": Self.mass(.number(parked))]) : ""),
        isGood: waiting == 0 && parked == 0),
      HealthItem(
        name: texts(.healthCalibration),
        text: Sentence(json, "calibration_warning").map { texts($0) }
          ?? json["calibration"]?.text.map { texts.origin($0) } ?? texts(.healthNone),
        isGood: json["calibration_warning"] == nil),
      item(.healthConfiguration, json["configuration"], good: "in_force", detail: nil),
    ]
  }

  private func item(_ name: TextKey, _ json: JSONValue?, good: String, detail: String?) -> HealthItem {
    let isGood = json?["state"]?.text == good
    let text =
      isGood
      ? detail.flatMap { json?[$0]?.text } ?? texts(.healthOK)
      : Sentence(json, "reason").map { texts($0) } ?? texts(.healthUnknown)
    return HealthItem(name: texts(name), text: text, isGood: isGood)
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
