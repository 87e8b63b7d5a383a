import Foundation

/// A table for the terminal: columns of numbers are aligned to the right, columns of text to the left.
struct Table {
  var title: String
  private var rows: [[String]]

  init(_ title: String, columns: [String]) {
    self.title = title
    rows = [columns]
  }

  var isEmpty: Bool { rows.count == 1 }

  mutating func append(_ row: [String]) { rows.append(row) }

  /// The lines, each with a line break.
  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    var text = title + "\n"
    for row in rows {
      var line = " "
      for (column, cell) in row.enumerated() {
        let fill = String(repeating: " ", count: widths[column] - cell.count)
        line += " " + (holdsNumbers(column) ? fill + cell : cell + fill) + " "
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }

  private func holdsNumbers(_ column: Int) -> Bool {
    rows.dropFirst().allSatisfy { column >= $0.count || ["", "-"].contains($0[column]) || Double($0[column]) != nil }
  }

  /// Formats a number: three significant digits below 100, no decimals from 100.
  static func number(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    let size = value.magnitude
    if size >= 100 || value == 0 { return String(format: "%.0f", value) }
    return String(format: size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value)
  }

  /// Formats a number with as few digits as possible.
  static func plain(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }

  /// Formats the ratio of two values with two decimals; `-` if it is undefined.
  static func ratio(_ value: Double, _ other: Double) -> String {
    value == 0 ? "0" : other == 0 || !(value / other).isFinite ? "-" : String(format: "%.2f", value / other)
  }

  /// Formats a share in percent.
  static func percent(_ share: Double) -> String { share.isFinite ? "\(number(share * 100)) %" : "-" }
}

extension Report {
  /// One row for each quantity, a column for each filter or program, then the ratios of Grampad to each peer.
  var table: Table {
    let contenders = figures.map(\.contender).distinct
    let peers = contenders.filter { $0 != "grampad" }
    var table = Table(
      "Figures", columns: ["what", "on", "unit"] + contenders + peers.map { "to \($0)" })
    for alike in figures.grouped(by: { [$0.what, $0.on, $0.unit] }) {
      let row = Dictionary(alike.map { ($0.contender, $0) }) { _, last in last }
      table.append(
        [alike[0].what, alike[0].on, alike[0].unit] + contenders.map { Table.number(row[$0]?.value) }
          + peers.map { Table.number(row["grampad"]?.ratios[$0]) })
    }
    return table
  }

  /// One line for each goal, in the form that `deploy/test` counts.
  var checkLines: String {
    figures.map { figure in
      guard let goal = figure.goal, let isMet = figure.isMet else { return "" }
      let value = "\(Table.number(figure.value)) \(goal.relation.rawValue) \(Table.number(goal.limit))"
      return "\(isMet ? "ok" : "not ok") \(figure.what), \(figure.on): \(value)\n"
    }.joined()
  }

  /// One row for each goal.
  var verdicts: Table {
    var table = Table("Goals", columns: ["goal", "value", "", "limit", "unit", "verdict", "remark"])
    for figure in figures {
      guard let goal = figure.goal, let isMet = figure.isMet else { continue }
      table.append([
        goal.text, Table.number(figure.value), goal.relation.rawValue, Table.number(goal.limit), figure.unit,
        isMet ? "met" : "MISSED", figure.remark ?? figure.on,
      ])
    }
    return table
  }
}
