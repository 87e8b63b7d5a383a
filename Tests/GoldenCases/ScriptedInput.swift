import Recordings
import Weighing

/// The input of a scripted case: configuration, what a device reports, and requested actions.
///
/// ```
/// # A press of 180 g in the commit zone, slid up and lifted, commits the load of 100 g.
/// scale: {minimum_g: 5}
/// input: slots 0..3850, every 20 ms
///
/// 0.20  load    40@0.5,0.5 530 1000
/// 1.00  finger  600@0.95,0.8 1800 @0.95,0.6 @0.95,0.4
/// 1.30  finger  lifted
/// 1.50  action tare
/// ```
/// Up to the first blank line is the configuration in YAML with the line `input:`, see `ScriptedDevice`. After that, each
/// line has a time in seconds and one of
/// - a contact of any name and its samples, one sample period apart: `FORCE@X,Y`, `FORCE`, `@X,Y` or `lifted`. Forces are
///   counts, positions fractions of the axes; what is not given stays.
/// - `KEY_ENTER down`, `repeat` or `up`
/// - `dropped`: the kernel reports SYN_DROPPED
/// - `action NAME`: the request of an action
///
/// `#` begins a comment.
struct ScriptedInput {
  /// A requested action.
  struct Action: Hashable {
    var name: String
    /// Microseconds since the first event.
    var time: Int64
  }

  /// The YAML document, with the same line numbers as the file.
  private(set) var configuration = ""
  /// What the device reports.
  private(set) var events: [InputEvent] = []
  /// The actions in the order of the file.
  private(set) var actions: [Action] = []

  private var device: ScriptedDevice
  private var timeline: ScriptedTimeline

  /// Reads the first two paragraphs of a file.
  init(_ text: String, file: String) throws(ScriptError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines.prefix { !$0.isEmpty }
    guard let index = head.firstIndex(where: { $0.hasPrefix("input:") }) else {
      throw ScriptError(file: file, line: head.count, reason: "there is no line input: before the first blank line")
    }
    do throws(ScriptLineError) {
      device = try ScriptedDevice(String(lines[index].dropFirst(6)))
    } catch { throw ScriptError(file: file, line: index + 1, reason: error.text) }
    timeline = ScriptedTimeline(device)
    configuration = head.enumerated().map { $0.offset == index ? "" : $0.element }.joined(separator: "\n") + "\n"
    for index in lines.indices.dropFirst(head.count + 1) {
      do throws(ScriptLineError) {
        try read(lines[index], line: index + 1)
      } catch { throw ScriptError(file: file, line: index + 1, reason: error.text) }
    }
    events = try timeline.events(file: file)
    guard let start = events.first?.time else {
      throw ScriptError(file: file, line: head.count + 1, reason: "there is no input")
    }
    for index in actions.indices { actions[index].time -= start.nanoseconds / 1000 }
  }

  /// The recording of the device, as `grampad record` would write it.
  var evemu: [UInt8] {
    var writer = EvemuWriter()
    var text: [UInt8] = []
    writer.append(device.description, to: &text)
    for event in events { writer.append(event, to: &text) }
    return text
  }

  private mutating func read(_ line: Substring, line number: Int) throws(ScriptLineError) {
    let words = line.prefix { $0 != "#" }.split(separator: " ")
    guard let first = words.first else { return }
    guard let time = Self.microseconds(first) else {
      throw ScriptLineError("\(first) is not a time: expected seconds with up to six decimals")
    }
    guard words.count > 1 else {
      throw ScriptLineError("expected a contact, a key, dropped or an action after the time")
    }
    let rest = words.dropFirst(2)
    switch words[1] {
    case "action":
      guard let name = rest.first, rest.count == 1 else { throw ScriptLineError("expected the name of one action") }
      actions.append(Action(name: String(name), time: time))
    case "dropped":
      guard rest.isEmpty else { throw ScriptLineError("expected nothing after dropped") }
      timeline.addDropped(at: time)
    case let name where name.hasPrefix("KEY_"):
      guard let key = KeyCode(name: String(name)), device.has(key) else {
        throw ScriptLineError("the device has no key \(name)")
      }
      guard let word = rest.first, rest.count == 1, let value = Self.keyValues[String(word)] else {
        throw ScriptLineError("expected down, repeat or up after \(name)")
      }
      timeline.addKey(key, value: value, at: time)
    case let name: try readContact(String(name), rest, at: time, line: number)
    }
  }

  private static let keyValues: [String: Int32] = ["up": 0, "down": 1, "repeat": 2]

  private mutating func readContact(
    _ name: String, _ samples: ArraySlice<Substring>, at start: Int64, line: Int
  ) throws(ScriptLineError) {
    guard device.form != nil else { throw ScriptLineError("a keyboard has no contacts: \(name)") }
    guard let period = device.period else {
      throw ScriptLineError("contacts need a sample period, for example every 20 ms")
    }
    guard start % period == 0 else { throw ScriptLineError("the time is not a multiple of \(period / 1000) ms") }
    guard !samples.isEmpty else { throw ScriptLineError("expected samples after \(name), for example 1000@0.5,0.5") }
    var time = start
    for sample in samples {
      try timeline.add(change(sample), of: name, at: time, line: line)
      time += period
    }
  }

  private func change(_ text: Substring) throws(ScriptLineError) -> ScriptedTimeline.Change {
    if text == "lifted" { return .lifted }
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let force = parts[0].isEmpty && parts.count == 2 ? nil : Int32(parts[0])
    guard force != nil || parts[0].isEmpty && parts.count == 2 else {
      throw ScriptLineError("\(text) is not a sample: expected FORCE, FORCE@X,Y, @X,Y or lifted")
    }
    let range = device.force.minimum...device.force.maximum
    if let force, !range.contains(force) {
      throw ScriptLineError("\(force) is outside \(range.lowerBound)..\(range.upperBound)")
    }
    guard parts.count == 2 else { return .set(force, nil) }
    if case .plain = device.form { throw ScriptLineError("this device reports no positions: \(text)") }
    let fractions = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
    guard fractions.count == 2, fractions.allSatisfy({ 0...1 ~= $0 }) else {
      throw ScriptLineError("\(text) has no position: expected two fractions from 0 to 1 after @")
    }
    return .set(force, Position(x: fractions[0], y: fractions[1]))
  }

  private static func microseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, let seconds = UInt16(first), parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return Int64(seconds) * 1_000_000 }
    let digits = parts[1].count
    guard (1...6).contains(digits), let fraction = UInt32(parts[1]) else { return nil }
    return Int64(seconds) * 1_000_000 + Int64(fraction) * [100_000, 10_000, 1000, 100, 10, 1][digits - 1]
  }
}
