import Recordings
import Weighing

/// The device of a scripted case, from its `input:` line.
///
/// The first field is the way in which the device reports its contacts and the range of its force axis, or `keyboard`
/// for a device without a force axis; `board` is a Wii Balance Board. The other fields are optional and in any order, but contacts need `every`:
/// ```
/// input: slots 0..4200, 10 counts/g, every 20 ms, KEY_ENTER, name Load cell
/// ```
struct ScriptedDevice {
  /// How contacts are reported; `nil` for a keyboard.
  private(set) var form: PadProtocol?
  /// The range of the force axis.
  private(set) var force = AxisRange(minimum: 0, maximum: 0)
  /// The time from one sample to the next, in microseconds; `nil` for a device without samples.
  private(set) var period: Int64?

  private var name: String?
  private var keys: Set<KeyCode> = []

  /// What the device states about itself.
  var description: PadDescription {
    var pad = (form ?? .slots).description(force: force)
    if form == nil { pad = PadDescription(name: "Grampad Simulated Keyboard", id: pad.id) }
    if let name { pad.name = name }
    pad.keys.formUnion(keys)
    return pad
  }

  /// Reads what follows `input:`; throws the reason.
  init(_ text: String) throws(ScriptLineError) {
    let fields = text.split(separator: ",").map { $0.split(separator: " ").map(String.init) }
    guard let first = fields.first else { throw ScriptLineError("expected a device, for example slots 0..3850") }
    try readForm(first)
    for field in fields.dropFirst() { try readOption(field) }
  }

  private mutating func readForm(_ words: [String]) throws(ScriptLineError) {
    switch words.first ?? "" {
    case "keyboard" where words.count == 1: return
    case "board" where words.count == 1:
      form = .corners
      force.maximum = 13_600
      return
    case "slots": form = .slots
    case "listed": form = .listed
    case "single": form = .single
    case let name:
      guard let axis = AxisCode(name: name) else {
        throw ScriptLineError(
          "\(name) is not a device: expected slots, listed, single, board, keyboard or the name of an axis")
      }
      form = .plain(axis)
    }
    guard words.count == 2, let range = Self.range(words[1]) else {
      throw ScriptLineError("expected the range of the force axis after \(words[0]), for example 0..3850")
    }
    force.minimum = range.lowerBound
    force.maximum = range.upperBound
  }

  private mutating func readOption(_ words: [String]) throws(ScriptLineError) {
    if words.count == 3, words[0] == "every", words[2] == "ms", let count = Int64(words[1]), count > 0 {
      period = count * 1000
    } else if words.count == 2, words[1] == "counts/g", let count = Int32(words[0]), count > 0 {
      force.resolution = count
    } else if words.count > 1, words[0] == "name" {
      name = words.dropFirst().joined(separator: " ")
    } else if words.count == 1, let key = KeyCode(name: words[0]) {
      keys.insert(key)
    } else {
      throw ScriptLineError(
        "\(words.joined(separator: " ")) is not a property: expected every N ms, N counts/g, KEY_... or name TEXT")
    }
  }

  /// Whether the device has the key.
  func has(_ key: KeyCode) -> Bool { keys.contains(key) }

  private static func range(_ text: String) -> ClosedRange<Int32>? {
    let ends = text.split(separator: ".", omittingEmptySubsequences: false)
    guard ends.count == 3, ends[1].isEmpty, let low = Int32(ends[0]), let high = Int32(ends[2]), low < high else {
      return nil
    }
    return low...high
  }
}
