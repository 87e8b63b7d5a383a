import Glibc
import SystemPackage

/// A line on a terminal that is overwritten during an operation; nothing is shown if the descriptor is not a terminal.
package struct ProgressBar: Sendable {
  private static let width = 30

  private let output: Int32
  /// Whether the line is shown.
  package let isShown: Bool

  /// Makes a progress bar on a descriptor.
  package init(output: Int32 = STDERR_FILENO) {
    self.output = output
    isShown = isatty(output) == 1
  }

  /// Shows the progress, 0...1, and a text.
  package func show(_ fraction: Double, _ text: String) {
    let filled = Int((min(max(fraction, 0), 1) * Double(Self.width)).rounded())
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    show("[\(bar)] \(text)")
  }

  /// Shows a text without a bar, for an operation of unknown length.
  package func show(_ text: String) { if isShown { put("\r\u{1b}[K  " + text) } }

  /// Clears the line.
  package func clear() { if isShown { put("\r\u{1b}[K") } }

  private func put(_ text: String) { _ = try? FileDescriptor(rawValue: output).writeAll(text.utf8) }
}
