public import Weighing

/// Writes the text format of evemu 1.3 like `evemu-record`, for `evemu-play` and `EvemuReader`.
///
/// `EvemuReader` returns what was written, within the limits of the format: times before the origin become 0 and are
/// truncated to microseconds; line breaks and other control characters in a name become blanks and leading blanks are
/// removed; codes above 2ff, axes above 3f and types above 1f are left out; `unique` is not written.
public struct EvemuWriter: Sendable {
  /// The time that is written as 0.
  public let origin: Instant

  private var milliseconds: Int64 = 0
  /// The comments of the events so far, up to their values: each is formatted only once.
  private var comments: [UInt32: [UInt8]] = [:]

  /// Makes a writer; the first event of `evemu-record` is at 1 us, so that the origin is 1 us before it.
  public init(origin: Instant = Instant(nanoseconds: 0)) { self.origin = origin }

  /// Appends the line of one event: `E: sec.usec type code value`, a tab and the names as a comment.
  public mutating func append(_ event: InputEvent, to text: inout [UInt8]) {
    guard event.type.rawValue < DescriptionBuilder.types, event.code < DescriptionBuilder.maximumCodes else { return }
    let maximum = EvemuReader.maximumSeconds * 1_000_000
    let microseconds = min(max((event.time - origin).nanoseconds / 1000, 0), maximum)
    text.append("E: ")
    text.append(decimal: microseconds / 1_000_000)
    text.append(UInt8(ascii: "."))
    text.append(decimal: microseconds % 1_000_000, width: 6, fill: UInt8(ascii: "0"))
    text.append(UInt8(ascii: " "))
    text.append(hexadecimal: event.type.rawValue, width: 4)
    text.append(UInt8(ascii: " "))
    text.append(hexadecimal: event.code, width: 4)
    text.append(UInt8(ascii: " "))
    text.append(decimal: Int64(event.value), width: 4, fill: UInt8(ascii: "0"))
    let key = UInt32(event.type.rawValue) << 16 | UInt32(event.code)
    if comments[key] == nil { comments[key] = Self.comment(event.type, event.code) }
    if let comment = comments[key] { text.append(contentsOf: comment) }
    text.append(decimal: Int64(event.value))
    if event.type == .synchronization {
      appendEnd(of: event, at: microseconds / 1000, to: &text)
    }
    text.append(UInt8(ascii: "\n"))
  }

  private mutating func appendEnd(of event: InputEvent, at now: Int64, to text: inout [UInt8]) {
    guard event.code != SynchronizationCode.multitouchReport else {
      text.append(") ++++++++++")
      return
    }
    text.append(") ---------- ")
    if now >= milliseconds { text.append(UInt8(ascii: "+")) }
    text.append(decimal: now - milliseconds)
    text.append("ms")
    milliseconds = now
  }

  private static func comment(_ type: EventType, _ code: UInt16) -> [UInt8] {
    let name = EvemuNames.code(code, of: type)
    guard type != .synchronization else {
      let rule = code == SynchronizationCode.multitouchReport ? "++++++++++++" : "------------"
      return Array("\t# \(rule) \(name) (".utf8)
    }
    let padding = String(repeating: " ", count: max(20 - name.utf8.count, 0))
    return Array("\t# \(EvemuNames.type(type)) / \(name)\(padding) ".utf8)
  }
}
