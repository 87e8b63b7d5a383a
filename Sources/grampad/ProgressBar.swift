import Glibc
import Weighing

/// A line on standard error that is overwritten during an operation; nothing is shown if that is not a terminal.
struct ProgressBar {
  /// Whether the line is shown.
  let isShown = isatty(STDERR_FILENO) == 1
  private static let width = 30

  /// Shows the progress, 0...1, and a text.
  func show(_ fraction: Double, _ text: String) {
    guard isShown else { return }
    let filled = Int((min(max(fraction, 0), 1) * Double(Self.width)).rounded())
    put(
      "\r\u{1b}[K  [" + String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        + "] "
        + text)
  }

  /// Shows a text without a bar, for an operation of unknown length.
  func show(_ text: String) {
    if isShown { put("\r\u{1b}[K  " + text) }
  }

  /// Clears the line.
  func clear() {
    if isShown { put("\r\u{1b}[K") }
  }

  private func put(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
