import Glibc
import Weighing

/// One line on standard error that is written over while something lasts; nothing where that is no terminal.
struct ProgressBar {
  /// Whether anybody sees it.
  let isShown = isatty(STDERR_FILENO) == 1
  private static let width = 30

  /// Shows how far it is, 0...1, and a word about it.
  func show(_ fraction: Double, _ text: String) {
    guard isShown else { return }
    let filled = Int((min(max(fraction, 0), 1) * Double(Self.width)).rounded())
    put(
      "\r\u{1b}[K  [" + String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        + "] "
        + text)
  }

  /// Shows that it goes on, without an end in sight.
  func show(_ text: String) {
    if isShown { put("\r\u{1b}[K  " + text) }
  }

  /// Takes the line away.
  func clear() {
    if isShown { put("\r\u{1b}[K") }
  }

  private func put(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
