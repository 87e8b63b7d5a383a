/// The frames of a recording, read without any code of the program under test.
///
/// It follows the kernel's Documentation/input/multi-touch-protocol.rst, as far as these tests need it.
struct EvemuFrames {
  struct Contact {
    var raw: Int
    /// Position as fractions of the axes; `nil` without position axes.
    var position: [Double]?
  }

  struct Frame {
    var microseconds: Int
    var contacts: [Contact]
    var raw: Int { contacts.reduce(0) { $0 + $1.raw } }
  }

  private(set) var frames: [Frame] = []

  private var ranges: [Int: (minimum: Int, maximum: Int)] = [:]
  /// The current values by axis; in protocol A those of the contact that is being listed.
  private var values: [Int: Int] = [:]
  /// The current values of protocol B by slot and axis.
  private var slots: [Int: [Int: Int]] = [:]
  private var slot = 0
  private var listing: [[Int: Int]] = []
  private var isTouching = false

  init(_ text: [UInt8]) {
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: "#", omittingEmptySubsequences: false)[0].split(separator: " ").map(String.init)
      if words.first == "A:", let axis = Int(words[1], radix: 16) {
        ranges[axis] = (Int(words[2]) ?? 0, Int(words[3]) ?? 0)
      }
      if words.first == "E:" { readEvent(words) }
    }
  }

  private mutating func readEvent(_ words: [String]) {
    let code = Int(words[3], radix: 16) ?? 0
    let value = Int(words[4].split(separator: "\t")[0]) ?? 0
    switch (words[2], code) {
    case ("0000", 0): frames.append(Frame(microseconds: Int(words[1].filter { $0 != "." }) ?? 0, contacts: contacts()))
    case ("0000", 2):
      if !values.isEmpty { listing.append(values) }
      values = [:]
    case ("0001", 0x14a): isTouching = value != 0
    case ("0003", 0x2f): slot = value
    case ("0003", _) where ranges[0x2f] != nil: slots[slot, default: [:]][code] = value
    case ("0003", _): values[code] = value
    default: break
    }
  }

  private mutating func contacts() -> [Contact] {
    if ranges[0x2f] != nil {
      return slots.values.filter { $0[0x39] ?? -1 >= 0 }.map { contact($0, 0x3a, 0x35, 0x36) }
    }
    if ranges[0x3a] != nil {
      defer { listing = [] }
      return listing.map { contact($0, 0x3a, 0x35, 0x36) }
    }
    if ranges[0x18] != nil { return isTouching ? [contact(values, 0x18, 0x00, 0x01)] : [] }
    return values[0x28] ?? 0 > 0 ? [contact(values, 0x28, 0x00, 0x01)] : []
  }

  private func contact(_ values: [Int: Int], _ load: Int, _ x: Int, _ y: Int) -> Contact {
    var position: [Double]?
    if let rangeX = ranges[x], let rangeY = ranges[y] {
      position = [
        Double(values[x, default: 0] - rangeX.minimum) / Double(rangeX.maximum - rangeX.minimum),
        Double(values[y, default: 0] - rangeY.minimum) / Double(rangeY.maximum - rangeY.minimum),
      ]
    }
    return Contact(raw: values[load, default: 0], position: position)
  }
}
