import Glibc
import Languages
import Linux
import SystemPackage

/// A dialog with the user, line by line, on a terminal or from a script: instructions and questions on one descriptor, answers
/// from another.
///
/// Used by one thread.
package final class TerminalDialog {
  /// The texts in the language of the user.
  package let texts: Texts
  private let input: Int32
  private let output: Int32
  private var buffer: [UInt8] = []

  /// Makes a dialog that reads answers from `input` and writes to `output`.
  package init(input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO, texts: Texts = .english) {
    (self.input, self.output, self.texts) = (input, output, texts)
  }

  /// A progress bar on the same terminal.
  package var progressBar: ProgressBar { ProgressBar(output: output) }

  /// Prints a line.
  package func say(_ text: String) { put(text + "\n") }

  /// Asks a question; returns the answer without spaces at its ends, or `nil` at the end of the input.
  package func ask(_ question: String) -> String? {
    put(question)
    let answer = readLine()
    // Input that is not typed on a terminal does not end the line.
    if answer == nil || isatty(input) == 0 { put("\n") }
    return answer?.trimmed
  }

  /// Asks a question that Enter answers with `standard`; `y` and the letter and word of the user's language mean yes.
  package func confirms(_ question: String, standard: Bool) -> Bool {
    guard let answer = ask("\(question) \(texts(standard ? .answerYes : .answerNo)) ")?.lowercased() else {
      return false
    }
    if answer.isEmpty { return standard }
    return ["y", "yes"].contains(answer) || texts(.answerWords).split(separator: " ").contains { $0 == answer }
  }

  /// The next line; the last one may lack its line feed.
  private func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard let piece = try? FileDescriptor(rawValue: input).readPiece(atMost: 4096), !piece.isEmpty else {
        defer { buffer = [] }
        return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
      }
      buffer += piece
    }
  }

  private func put(_ text: String) { _ = try? FileDescriptor(rawValue: output).writeAll(text.utf8) }
}

extension String {
  /// The text without whitespace at either end.
  fileprivate var trimmed: String {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
