import CLinux
import EvdevInput
import Glibc
import Logging
import Weighing

/// Prints what EvdevInput reports, for tests under umockdev-run or on a real kernel.
///
/// `describe PATH`, `rule DEVICE`, `survey SELECTOR [AXIS]`, `events PATH COUNT`, `frames COUNT SELECTOR [AXIS [BINDING...]]`, `buttons COUNT BINDING...`,
/// `scanners COUNT SCANNER...` (0: until it is killed),
/// `live SELECTOR [BINDING...]`. A selector is `auto`, a path, or `match:NAME:VENDOR:PRODUCT` with
/// hexadecimal IDs, in which empty parts match any device; several axes are joined by `+`; a binding is SELECTOR=KEY=ACTION, a
/// scanner SELECTOR=LAYOUT.
@main
enum PadProbe {
  static func main() {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    let words = CommandLine.arguments.dropFirst().map { $0 }
    do {
      switch (words.first, words.count) {
      case ("describe", 2): describe(try EvdevDevice(path: words[1]))
      case ("rule", 2): try rule(words[1])
      case ("survey", 2...3): survey(selector(words[1]), axis(words.dropFirst(2).first))
      case ("events", 3): try events(EvdevDevice(path: words[1]), count: Int(words[2]) ?? 0)
      case ("frames", 3...): try frames(words)
      case ("buttons", 3...): try buttons(count: Int(words[1]) ?? 0, words.dropFirst(2).map(binding))
      case ("scanners", 3...): try scanners(count: Int(words[1]) ?? 0, words.dropFirst(2).map(scanner))
      case ("live", 2...): try Live(selector(words[1]), words.dropFirst(2).map(binding)).run()
      default: exit(64)
      }
    } catch {
      say("error \(error)")
      exit(1)
    }
  }

  private static func selector(_ word: String) -> PadSelector {
    if word == "auto" { return .automatic }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.first == "match", parts.count == 4 else { return .path(word) }
    return .match(
      name: parts[1].isEmpty ? nil : parts[1], vendor: UInt16(parts[2], radix: 16),
      product: UInt16(parts[3], radix: 16))
  }

  private static func binding(_ word: String) -> ButtonBinding {
    let parts = word.split(separator: "=").map(String.init)
    guard parts.count == 3, let key = KeyCode(name: parts[1]) else { exit(64) }
    return ButtonBinding(device: selector(parts[0]), key: key, action: parts[2])
  }

  private static func scanner(_ word: String) -> ScannerBinding {
    let parts = word.split(separator: "=").map(String.init)
    guard parts.count == 2 else { exit(64) }
    return ScannerBinding(device: selector(parts[0]), layout: parts[1])
  }

  private static func describe(_ device: EvdevDevice) {
    let pad = device.description
    say("name \(pad.name)")
    say("id \(pad.id.bus) \(pad.id.vendor) \(pad.id.product) \(pad.id.version)")
    say("unique \(pad.unique)")
    for (code, range) in pad.axes.sorted(by: { $0.key < $1.key }) {
      say("axis \(code.name) \(range.minimum) \(range.maximum) \(range.fuzz) \(range.flat) \(range.resolution)")
    }
    say("keys \(pad.keys.sorted().map(\.name).joined(separator: " "))")
    say("properties \(pad.properties.sorted().map(String.init).joined(separator: " "))")
    for (type, codes) in pad.otherCodes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      say("codes \(type.rawValue): \(codes.sorted().map(String.init).joined(separator: " "))")
    }
    say("monotonic \(device.hasMonotonicStamps)")
  }

  private static func rule(_ device: String) throws {
    let survey = DeviceSurvey.scan(known: [])
    let text = try UdevRule(for: survey.device(called: device), in: survey).text
    say(text.split(separator: "\n").last.map(String.init) ?? "")
  }

  /// `ABS_X`, or `ABS_X+ABS_Y` for their sum.
  private static func axis(_ word: String?) -> AxisChoice {
    let codes = (word ?? "").split(separator: "+").compactMap { AxisCode(name: String($0)) }
    return codes.count > 1 ? .sum(codes) : codes.first.map(AxisChoice.named) ?? .automatic
  }

  private static func survey(_ selector: PadSelector, _ axis: AxisChoice) {
    let survey = DeviceSurvey.scan(axis: axis, known: [])
    for entry in survey.entries {
      let links = entry.links.joined(separator: " ")
      say("\(entry.path) [\(links)] \(entry.axis?.name ?? "-") \(entry.reason?.description ?? "weighs")")
    }
    switch survey.choose(selector) {
    case .chosen(let entry, let because): say("chosen \(entry.path): \(because)")
    case .none(let reason): say("none: \(reason)")
    }
  }

  private static func events(_ device: EvdevDevice, count: Int) throws {
    var left = count
    start(device.path)
    while left > 0 {
      wait([device.fileDescriptor])
      try device.readEvents { event in
        left -= 1
        say("event \(event.type.rawValue) \(event.code) \(event.value)")
      }
    }
  }

  private static func frames(_ words: [String]) throws {
    let input = try PadInput(
      selector(words[2]), axis: axis(words.dropFirst(3).first), buttons: words.dropFirst(4).map(binding),
      logger: Logger(label: "padprobe"))
    var left = Int(words[1]) ?? 0
    var last = Instant(nanoseconds: 0)
    while left > 0 {
      wait([input.fileDescriptor])
      input.process { event in
        say(event)
        switch event {
        case .found(_, let path): start(path)
        case .frame(let frame):
          left -= 1
          if frame.time < last { say("time went back") }
          last = frame.time
        case .button, .gap, .lost, .setupWarning, .waiting: break
        }
      }
    }
  }

  private static func buttons(count: Int, _ bindings: [ButtonBinding]) throws {
    let input = try ButtonInput(bindings, logger: Logger(label: "padprobe"))
    var left = count
    var started: Set<String> = []
    while left > 0 {
      wait([input.fileDescriptor])
      input.process { change, _ in
        left -= 1
        say(change)
      }
      for path in input.paths where started.insert(path).inserted {
        say("listens \(path)")
        start(path)
      }
    }
  }

  private static func scanners(count: Int, _ bindings: [ScannerBinding]) throws {
    let input = try ScannerInput(bindings, logger: Logger(label: "padprobe"))
    var read = 0
    var listening: [String] = []
    while count == 0 || read < count {
      wait([input.fileDescriptor], milliseconds: input.nextDeadline == nil ? -1 : 500)
      input.process { code, _ in
        read += 1
        say("code \(code.text)")
      }
      guard listening != input.paths else { continue }
      let new = input.paths.filter { !listening.contains($0) }
      listening = input.paths
      say("listens \(listening.joined(separator: " "))")
      new.forEach(start)
    }
  }

  /// Turns on the LED of the device, upon which the emulated device starts to send its events.
  private static func start(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
    defer { close(descriptor) }
    var events = (input_event(), input_event())
    events.0.type = EventType.led.rawValue
    events.0.value = 1
    let size = MemoryLayout.size(ofValue: events)
    if write(descriptor, &events, size) != size { say("error: \(path) cannot be written to") }
  }
}
