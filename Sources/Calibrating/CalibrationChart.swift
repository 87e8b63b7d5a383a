import Configuration
import Languages
import Linux
import Weighing

/// A calibration as text for a terminal: a table of the masses, the curve with its points, and the error of each mass.
package struct CalibrationChart: Sendable {
  private let stored: StoredCalibration
  private let curve: CalibrationCurve
  private let division: Division
  private let texts: Texts

  /// Columns and rows of the drawing; it fits a terminal of 80 by 24.
  private static let size = (columns: 60, rows: 14)

  /// Makes a chart of a stored calibration and the curve through its points.
  package init(_ stored: StoredCalibration, curve: CalibrationCurve, division: Division, texts: Texts = .english) {
    (self.texts, self.stored, self.curve, self.division) = (texts, stored, curve, division)
  }

  /// The whole chart, with a newline at the end.
  package var text: String { table + "\n" + drawing + "\n" + bars }

  /// A line for each mass: grams, counts, spread and drift in counts, and the residual of the curve in grams.
  package var table: String {
    let keys: [TextKey] = [.chartGrams, .chartCounts, .chartSpread, .chartDrift, .chartResidual, .chartLeftOut]
    let head = keys.map { texts($0) }
    let rows = stored.points.map { point in
      [
        fixed(point.point.mass.value, 1), fixed(point.point.counts, 2), fixed(point.spread, 2), fixed(point.drift, 3),
        signed(point.miss), signed(point.leftOut),
      ]
    }
    let table = [head] + rows
    return TextTable.text(table, rightAligned: Set(head.indices))
  }

  /// The curve over the counts.
  private var drawing: String {
    let points = curve.points
    let (first, last) = (points[0], points[points.count - 1])
    var rows = Array(repeating: Array(repeating: Character(" "), count: Self.size.columns), count: Self.size.rows)
    func row(of mass: Double) -> Int {
      let part = (mass - first.mass.value) / (last.mass.value - first.mass.value)
      return Self.size.rows - 1 - min(max(Int((part * Double(Self.size.rows - 1)).rounded()), 0), Self.size.rows - 1)
    }
    func column(of counts: Double) -> Int {
      let part = (counts - first.counts) / (last.counts - first.counts)
      return min(max(Int((part * Double(Self.size.columns - 1)).rounded()), 0), Self.size.columns - 1)
    }
    for column in 0..<Self.size.columns {
      let part = Double(column) / Double(Self.size.columns - 1)
      rows[row(of: curve.mass(atCounts: first.counts + part * (last.counts - first.counts)))][column] = "·"
    }
    for point in points { rows[row(of: point.mass.value)][column(of: point.counts)] = "o" }
    let labels = [0: fixed(last.mass.value, 0) + " g", Self.size.rows - 1: fixed(first.mass.value, 0) + " g"]
    var text = ""
    for (index, cells) in rows.enumerated() {
      let label = labels[index] ?? ""
      text += String(repeating: " ", count: max(8 - label.count, 0)) + label + " |" + trimmed(String(cells)) + "\n"
    }
    let (from, to) = (fixed(first.counts, 0), fixed(last.counts, 0) + " " + texts(.chartCountsUnit))
    text += String(repeating: " ", count: 9) + "+" + String(repeating: "-", count: Self.size.columns) + "\n"
    return text + String(repeating: " ", count: 10) + from
      + String(repeating: " ", count: max(Self.size.columns - from.count - TextColumns.width(to), 1)) + to + "\n"
  }

  /// The error of each mass when left out of the fit, as bars to the left and to the right.
  private var bars: String {
    let inner = stored.points.filter { $0.leftOut != nil }
    guard let most = inner.compactMap({ $0.leftOut?.magnitude.value }).max() else { return "" }
    let half = 20
    let scale = max(most, division.step.value)
    var text = texts(.chartErrors, ["mass": fixed(scale, 2)]) + "\n"
    for point in inner {
      let miss = point.leftOut?.value ?? 0
      let length = min(Int((miss.magnitude / scale * Double(half)).rounded()), half)
      let bar = String(repeating: "#", count: length)
      let gap = String(repeating: " ", count: half - length)
      let label = fixed(point.point.mass.value, 1) + " g"
      let line =
        miss < 0
        ? gap + bar + "|" + String(repeating: " ", count: half) : String(repeating: " ", count: half) + "|" + bar + gap
      text +=
        String(repeating: " ", count: max(10 - label.count, 0)) + label + " " + line + " " + signed(Grams(miss)) + "\n"
    }
    return text
  }

  private func fixed(_ number: Double?, _ decimals: Int) -> String {
    number.map { DecimalText.fixed($0, decimals: decimals) } ?? "-"
  }

  private func signed(_ mass: Grams?) -> String {
    guard let mass else { return "-" }
    let digits = DecimalText.fixed(mass.value, decimals: 2)
    return digits.hasPrefix("-") || digits == "0.00" ? digits : "+" + digits
  }

  private func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
