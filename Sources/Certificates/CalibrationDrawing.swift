import Configuration
import Languages
import Weighing

/// A calibration as an SVG: the curve with its points, and below it the error of each mass when left out of the fit.
///
/// Self-contained: no script, no font, no other file. The colours follow the theme of the viewer, light or dark.
package struct CalibrationDrawing: Sendable {
  private let stored: StoredCalibration
  private let curve: CalibrationCurve
  private let texts: Texts

  private static let width = 640.0
  private static let left = 64.0
  private static let right = 616.0
  private static let top = 48.0
  private static let bottom = 320.0
  private static let errorTop = 372.0
  private static let errorBottom = 468.0
  private static let height = 512.0

  /// Makes a drawing of a stored calibration and the curve through its points.
  package init(_ stored: StoredCalibration, curve: CalibrationCurve, texts: Texts = .english) {
    (self.texts, self.stored, self.curve) = (texts, stored, curve)
  }

  /// The text of the file.
  package var svg: String {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(Self.width)) \(number(Self.height))" role="img">
      <title>\(escaped(title))</title>
      <style>
      svg { background: #ffffff; color: #1b1f24; font: 13px system-ui, sans-serif }
      @media (prefers-color-scheme: dark) { svg { background: #14171a; color: #e8eaed } }
      text { fill: currentColor } line, path { stroke: currentColor; fill: none }
      .grid { opacity: 0.18 } .curve { stroke: #2f7de1; stroke-width: 2 } .dot { fill: #d9480f }
      </style>
      <text x="\(number(Self.left))" y="26" font-size="16">\(escaped(title))</text>

      """
    text += axes + curvePath + dots + errors
    return text + "</svg>\n"
  }

  private var title: String {
    let day = stored.date.map { [String($0.prefix(10))] } ?? []
    let details = (day + [curve.shape.rawValue]).joined(separator: ", ")
    guard let pad = stored.pad else { return texts(.chartTitle, ["details": details]) }
    return texts(.chartTitleOf, ["pad": pad.name, "details": details])
  }

  private var first: CalibrationPoint { curve.points[0] }
  private var last: CalibrationPoint { curve.points[curve.points.count - 1] }

  private func x(_ counts: Double) -> Double {
    Self.left + (counts - first.counts) / (last.counts - first.counts) * (Self.right - Self.left)
  }

  private func y(_ mass: Double) -> Double {
    Self.bottom - (mass - first.mass.value) / (last.mass.value - first.mass.value) * (Self.bottom - Self.top)
  }

  private var axes: String {
    var text = ""
    for quarter in 0...4 {
      let part = Double(quarter) / 4
      let mass = first.mass.value + part * (last.mass - first.mass).value
      let counts = first.counts + part * (last.counts - first.counts)
      text += line(Self.left, y(mass), Self.right, y(mass), "grid")
      text += label(Self.left - 8, y(mass) + 4, "\(DecimalText.fixed(mass, decimals: 0)) g", "end")
      text += line(x(counts), Self.top, x(counts), Self.bottom, "grid")
      text += label(x(counts), Self.bottom + 18, DecimalText.fixed(counts, decimals: 0), "middle")
    }
    return text + label(Self.right, Self.bottom + 36, texts(.chartCountsUnit), "end")
  }

  private var curvePath: String {
    let steps = 200
    let positions = (0...steps).map { step in
      let counts = first.counts + Double(step) / Double(steps) * (last.counts - first.counts)
      return "\(number(x(counts))) \(number(y(curve.mass(atCounts: counts))))"
    }
    return "<path class=\"curve\" d=\"M \(positions.joined(separator: " L "))\"/>\n"
  }

  private var dots: String {
    curve.points.map { point in
      let text = texts(
        .chartPoint,
        [
          "mass": DecimalText.fixed(point.mass.value, decimals: 1),
          "counts": DecimalText.fixed(point.counts, decimals: 2),
        ])
      return """
        <circle class="dot" cx="\(number(x(point.counts)))" cy="\(number(y(point.mass.value)))" r="4">\
        <title>\(escaped(text))</title></circle>

        """
    }.joined()
  }

  private var errors: String {
    let middle = (Self.errorTop + Self.errorBottom) / 2
    var text = line(Self.left, middle, Self.right, middle, "")
    text += label(
      Self.left, Self.errorBottom + 28, texts(.chartErrorsInGrams), "start")
    let most = max(stored.points.compactMap { $0.leftOut?.magnitude.value }.max() ?? 0, 0.001)
    for point in stored.points {
      guard let error = point.leftOut?.value else { continue }
      let end = middle - error / most * (Self.errorBottom - Self.errorTop) / 2
      let column = x(point.point.counts)
      text += line(column, middle, column, end, "curve")
      text += label(column, error < 0 ? end + 14 : end - 4, DecimalText.fixed(error, decimals: 2), "middle")
    }
    return text
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String) -> String {
    """
    <line class="\(kind)" x1="\(number(x1))" y1="\(number(y1))" x2="\(number(x2))" y2="\(number(y2))"/>

    """
  }
}
