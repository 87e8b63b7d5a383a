import Foundation

/// The columns of a CSV file without quotes, read by their names.
struct CSVTable {
  let file: String
  private let columns: [String]
  private let rows: [[Substring]]

  /// Reads a file.
  init(_ file: String) throws(RealDataError) {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { throw .unreadable(file: file) }
    self.file = file
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    while lines.last?.isEmpty == true { lines.removeLast() }
    let heading = lines.first?.drop { $0 == "\u{FEFF}" } ?? ""
    columns = heading.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    guard !rows.isEmpty else { throw .malformed(file: file, line: 1, reason: "the file has no rows") }
    for (index, row) in rows.enumerated() where row.count != columns.count {
      throw .malformed(
        file: file, line: index + 2, reason: "\(row.count) values instead of \(columns.count), as in the heading")
    }
  }

  /// Returns the numbers of a column.
  func numbers(_ name: String) throws(RealDataError) -> [Double] {
    var numbers: [Double] = []
    numbers.reserveCapacity(rows.count)
    for (index, number) in try sparseNumbers(name).enumerated() {
      guard let number else { throw .malformed(file: file, line: index + 2, reason: "no value for \(name)") }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the numbers of a column; `nil` for an empty cell.
  func sparseNumbers(_ name: String) throws(RealDataError) -> [Double?] {
    guard let column = columns.firstIndex(of: name) else {
      throw .malformed(file: file, line: 1, reason: "no column \(name); it has \(columns.joined(separator: ", "))")
    }
    var numbers: [Double?] = []
    numbers.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated() {
      let cell = row[column].trimmingCharacters(in: .whitespaces)
      guard !cell.isEmpty else {
        numbers.append(nil)
        continue
      }
      guard let number = Double(cell), number.isFinite else {
        throw .malformed(file: file, line: index + 2, reason: "\(name) is not a number: \(cell.prefix(40))")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the times in a column, in seconds since the first one. They must increase.
  ///
  /// - Parameter unit: The unit of the column in seconds.
  func times(_ name: String, unit: Double = 1) throws(RealDataError) -> [Double] {
    let times = try numbers(name)
    for index in times.indices.dropFirst() where times[index] <= times[index - 1] {
      throw .malformed(
        file: file, line: index + 2, reason: "\(name) does not increase: \(times[index]) after \(times[index - 1])")
    }
    return times.map { ($0 - times[0]) * unit }
  }
}
