import Linux
import Weighing

/// A text on one line for SVG and HTML: limited in length, without control characters, and escaped.
func escaped(_ text: String, limit: Int = 200) -> String {
  printable(text, limit: limit).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    .replacing("\"", with: "&quot;")
}

/// A text in an SVG, at a position and with an anchor: `start`, `middle`, `end`.
func label(_ x: Double, _ y: Double, _ text: String, _ anchor: String) -> String {
  "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(escaped(text))</text>\n"
}

/// A coordinate in an SVG.
func number(_ value: Double) -> String { DecimalText.fixed(value, decimals: 1) }
