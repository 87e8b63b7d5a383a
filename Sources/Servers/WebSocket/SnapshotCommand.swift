import Messages
import Weighing

/// A command of a WebSocket client: the text commands of a Half Decent Scale and their forms in JSON.
///
/// Source: github.com/decentespresso/openscale, `README.md` ("WebSockets support") and `include/websocket.h`.
enum SnapshotCommand: Hashable, Sendable {
  /// Takes the tare. As text it has no acknowledgement: an old app reads every message as a mass.
  case tare(isAcknowledged: Bool)
  case timer(TimerCommand)
  case events(Bool)
  /// `nil` asks for the present one.
  case rate(SnapshotRate?)
  case unknownRate
  /// `status`, `battery` and `info`; and `display`, `low_power` and `soft_sleep`, for which there is nothing to change.
  case status
  /// A known command with an argument that it does not have.
  case invalid
  case powerOff

  /// Parses a message; `nil` if it is not a command.
  init?(_ message: String) {
    let words = message.lowercased().split(whereSeparator: \.isWhitespace)
    guard let verb = words.first else { return nil }
    guard !verb.hasPrefix("{") else {
      guard let json = try? JSONValue(Array(Self.trimmed(message).utf8), maximumBytes: message.utf8.count),
        case .object = json
      else { return nil }
      self.init(json)
      return
    }
    guard words.count <= 2 else { return nil }
    let argument = words.count == 2 ? words[1] : ""
    switch (verb, argument) {
    case ("tare", ""): self = .tare(isAcknowledged: false)
    case ("rate", ""), ("get_rate", ""): self = .rate(nil)
    case ("rate", _): self.init(rate: argument)
    case ("interval", let text) where !text.isEmpty: self.init(Double(text).flatMap(SnapshotRate.init(milliseconds:)))
    default: self.init(verb, argument)  // any text
    }
  }

  /// The fields are looked at in the order of the firmware.
  private init?(_ json: JSONValue) {
    if let hertz = (json["rate_hz"] ?? json["hz"])?.number {
      self.init(SnapshotRate(hertz: hertz))
    } else if let rate = json["rate"]?.text {
      self.init(rate: Self.word(rate))
    } else if let interval = json["interval_ms"]?.number {
      self.init(SnapshotRate(milliseconds: interval))
    } else if let (verb, argument) = Self.shorthand(json) {
      self.init(verb, argument)
    } else if let verb = (json["command"] ?? json["cmd"])?.text.map(Self.word) {
      if verb == "rate", let value = json["value"]?.text {
        self.init(rate: Self.word(value))
      } else {
        self.init(verb, json["action"]?.text.map(Self.word) ?? "")
      }
    } else {
      return nil
    }
  }

  /// `{"timer": "start"}` or `{"display": true}`; switching off needs the word.
  private static func shorthand(_ json: JSONValue) -> (Substring, Substring)? {
    for verb in ["events", "tare", "timer", "display", "low_power", "sleep", "soft_sleep", "power"] {
      if let action = json[verb]?.text { return (verb[...], word(action)) }
      if let isOn = json[verb]?.isTrue, verb != "power" { return (verb[...], isOn ? "on" : "off") }
    }
    return nil
  }

  /// A command with its argument, in lower case.
  private init?(_ verb: Substring, _ argument: Substring) {
    switch (verb, argument) {
    case ("tare", ""), ("tare", "on"): self = .tare(isAcknowledged: true)
    case ("status", ""), ("battery", ""), ("info", ""): self = .status
    case ("events", "on"), ("events", "enable"), ("events", "enabled"): self = .events(true)
    case ("events", "off"), ("events", "disable"), ("events", "disabled"): self = .events(false)
    case ("timer", "zero"): self = .timer(.reset)
    case ("timer", _): self = TimerCommand(rawValue: String(argument)).map(Self.timer) ?? .invalid
    case ("display", "on"), ("display", "off"), ("low_power", "on"), ("low_power", "off"): self = .status
    case ("sleep", "on"), ("sleep", "off"), ("sleep", "wake"): self = .status
    case ("soft_sleep", "on"), ("soft_sleep", "off"), ("soft_sleep", "wake"): self = .status
    case ("events", _), ("display", _), ("low_power", _), ("sleep", _), ("soft_sleep", _): self = .invalid
    case ("power", "off"): self = .powerOff
    default: return nil  // any text
    }
  }

  private init(_ rate: SnapshotRate?) { self = rate.map(Self.rate) ?? .unknownRate }

  /// `10`, `10k` or `10hz`; the `k` is that of the firmware.
  private init(rate: Substring) {
    let unit = ["hz", "k"].first { rate.hasSuffix($0) } ?? ""
    self.init(Double(rate.dropLast(unit.count)).flatMap(SnapshotRate.init(hertz:)))
  }

  private static func trimmed(_ text: String) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }

  private static func word(_ text: String) -> Substring { trimmed(text.lowercased()) }
}

/// How often a WebSocket client gets the mass. Source: the same as that of `SnapshotCommand`.
enum SnapshotRate: Int, Hashable, Sendable, CaseIterable {
  case two = 2
  case five = 5
  case ten = 10

  /// The time between two snapshots.
  var interval: Interval { .milliseconds(milliseconds) }
  var milliseconds: Int { 1000 / rawValue }

  init?(hertz: Double) {
    guard let rate = Self.allCases.first(where: { abs(Double($0.rawValue) - hertz) < 0.01 }) else { return nil }
    self = rate
  }

  init?(milliseconds: Double) {
    guard let rate = Self.allCases.first(where: { Double($0.milliseconds) == milliseconds }) else { return nil }
    self = rate
  }
}
