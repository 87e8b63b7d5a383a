import Linux

/// A text on one line for SVG and HTML: limited in length, without control characters, and escaped.
func escaped(_ text: String, limit: Int = 200) -> String {
  printable(text, limit: limit).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    .replacing("\"", with: "&quot;")
}
