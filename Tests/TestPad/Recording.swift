import CEvdev
import Glibc

/// The event lines of an evemu recording: `E: SECONDS.MICROSECONDS TYPE CODE VALUE`, type and code hexadecimal.
///
/// This parser is intentionally independent of the product, so that it does not share its errors.
struct Recording {
  /// The events up to and including each SYN_REPORT, and its time in seconds from the first event.
  var frames: [(time: Double, events: EventBatch)] = []

  init(path: String) throws(PadError) {
    guard let file = fopen(path, "r") else { throw PadError("open \(path)", code: errno) }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    var batch = EventBatch()
    var first: Double?
    while getline(&line, &capacity, file) >= 0, let text = line.map({ String(cString: $0) }) {
      guard text.hasPrefix("E:") else { continue }
      let fields = text.dropFirst(2).split { $0 == " " || $0 == "\t" || $0 == "\n" }
      guard fields.count >= 4, let time = Double(fields[0]), let type = Int32(fields[1], radix: 16),
        let code = Int32(fields[2], radix: 16), let value = Int32(fields[3])
      else { throw PadError("\(path): cannot read `\(text)`") }
      batch.add(type, code, value)
      if type == EV_SYN, code == SYN_REPORT {
        frames.append((time - (first ?? time), batch))
        first = first ?? time
        batch = EventBatch()
      }
    }
  }
}
