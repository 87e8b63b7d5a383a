import Weighing

/// The errors of indication with their expanded uncertainties over the load, as an SVG to embed.
struct CertificateDrawing {
  private let errors: [CertificateResults.ErrorOfIndication]

  private static let width = 680.0
  private static let height = 264.0
  private static let left = 66.0
  private static let right = 668.0
  private static let top = 14.0
  private static let bottom = 216.0

  /// Makes a drawing.
  init(_ results: CertificateResults) { errors = results.errors }

  /// The element.
  var svg: String {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(Self.width)) \(number(Self.height))" role="img" \
      aria-label="Errors of indication in grams over the load" font-size="12" fill="#1b1f24">

      """
    for step in -2...2 {
      let error = reach * Double(step) / 2
      text += line(Self.left, y(error), Self.right, y(error), step == 0 ? "#1b1f24" : "#d5dae0", 1)
      text += label(Self.left - 8, y(error) + 4, "\(DecimalText.significant(error, digits: 2)) g", "end")
    }
    for step in 0...4 {
      let load = heaviest * Double(step) / 4
      text += label(x(load), Self.bottom + 18, "\(DecimalText.trimmed(load, decimals: 1)) g", "middle")
    }
    for error in errors {
      let centre = x(error.load.value.value)
      let expanded = error.budget.expanded.value
      text += line(centre, y(error.error.value - expanded), centre, y(error.error.value + expanded), "#2f7de1", 2)
      for end in [error.error.value - expanded, error.error.value + expanded] {
        text += line(centre - 4, y(end), centre + 4, y(end), "#2f7de1", 2)
      }
      if let up = error.errorUp { text += triangle(centre, y(up.value), pointsUp: true) }
      if let down = error.errorDown { text += triangle(centre, y(down.value), pointsUp: false) }
    }
    text += label(
      Self.left, Self.height - 6, "▲ error with increasing load   ▼ with decreasing load   bar: mean ± U", "start")
    return text + "</svg>\n"
  }

  private var heaviest: Double { max(errors.map(\.load.value.value).max() ?? 0, 1e-6) }

  /// The largest error and uncertainty, with a margin.
  private var reach: Double {
    // The type is for Swift 6.2, which takes the closure's value as optional.
    let ends: [Double] = errors.flatMap { error -> [Double] in
      [error.error.value.magnitude + error.budget.expanded.value]
        + [error.errorUp, error.errorDown].compactMap { $0?.value.magnitude }
    }
    return max(ends.max() ?? 0, 1e-9) * 1.1
  }

  private func x(_ load: Double) -> Double { Self.left + 12 + load / heaviest * (Self.right - Self.left - 36) }

  private func y(_ error: Double) -> Double {
    (Self.top + Self.bottom) / 2 - error / reach * (Self.bottom - Self.top) / 2
  }

  private func triangle(_ x: Double, _ y: Double, pointsUp: Bool) -> String {
    let height = pointsUp ? -7.0 : 7.0
    return """
      <path d="M \(number(x - 5)) \(number(y - height / 2)) h 10 L \(number(x)) \(number(y + height / 2)) Z" fill="#d9480f"/>

      """
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String, _ width: Int) -> String {
    """
    <line x1="\(number(x1))" y1="\(number(y1))" x2="\(number(x2))" y2="\(number(y2))" stroke="\(colour)" \
    stroke-width="\(width)"/>

    """
  }
}
