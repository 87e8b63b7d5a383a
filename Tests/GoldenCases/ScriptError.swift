/// Why a line of a scripted case is invalid; the caller adds file and line.
struct ScriptLineError: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// An error in a scripted case.
struct ScriptError: Error, Equatable, CustomStringConvertible {
  let file: String
  let line: Int
  let reason: String

  /// `press-tare.txt:5: 4000 is outside 0..3850`
  var description: String { "\(file):\(line): \(reason)" }
}
