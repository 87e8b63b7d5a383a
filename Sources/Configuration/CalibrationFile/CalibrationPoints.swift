import Glibc
import Languages
import Linux
import Weighing

/// Parses measured masses and counts for `calibrate --from`.
///
/// Either CSV lines of `raw,grams` (separated by comma, semicolon or tab; next to the last two, a comma is that of a
/// decimal; a header may reverse the columns; `#` begins a comment), or YAML: a list of `{raw: 266, grams: 100}`, at the
/// top level or under `points`, as in the configuration or a calibration file.
package enum CalibrationPoints {
  /// Maximum number of points.
  static let maximumCount = 1000

  /// Parses the points in the order of the file.
  ///
  /// - Parameter file: The file name for diagnostics.
  /// - Throws: `ConfigurationError.invalid`.
  package static func parse(bytes: [UInt8], file: String) throws(ConfigurationError) -> [CalibrationObservation] {
    let context = ParseContext(file: file, checks: Configuration.Checks())
    let reporter = DiagnosticReporter(context: context, keyPath: "")
    let text = String(decoding: bytes, as: UTF8.self)
    let points = isTable(text) ? table(text, reporter) : yaml(bytes, reporter)
    guard context.diagnostics.isEmpty else { throw .invalid(context.diagnostics.sorted { $0.position < $1.position }) }
    return points.map { CalibrationObservation(mass: $0.mass, counts: $0.counts) }
  }

  /// Whether the first line with content has values with separators between them.
  private static func isTable(_ text: String) -> Bool {
    guard let first = lines(text).first?.text else { return false }
    return !first.contains(":") && !first.hasPrefix("-") && !first.hasPrefix("[") && !first.hasPrefix("{")
  }

  private static func lines(_ text: String) -> [(number: Int, text: Substring)] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap { index, line in
      var line = line.prefix { $0 != "#" }
      if line.first == "\u{FEFF}" { line.removeFirst() }
      let bare = line.drop(while: \.isWhitespace)
      return bare.isEmpty ? nil : (index + 1, bare)
    }
  }

  private static func table(_ text: String, _ reporter: DiagnosticReporter) -> [CalibrationPoint] {
    var isGramsFirst = false
    var points: [CalibrationPoint] = []
    let lines = lines(text)
    // A header may be separated in another way.
    let separator: Character? = [";", "\t"].first { separator in
      lines.prefix(2).contains { $0.text.contains(separator) }
    }
    for (index, line) in lines.enumerated() {
      var fields = fields(of: line.text, separators: ",;\t")
      if let separator, fields.contains(where: { Double($0) != nil }) {
        fields = self.fields(of: line.text, separators: ";\t").map { withoutDecimalComma($0, separator) }
      }
      let position = SourcePosition(line: line.number, column: 1)
      if index == 0, fields.count == 2, fields.allSatisfy({ Double($0) == nil }) {
        let names = fields.map { $0.lowercased() }
        isGramsFirst = names[0].hasPrefix("gram") || names[0].hasPrefix("mass") || names[1].hasPrefix("raw")
        continue
      }
      guard fields.count == 2, let first = Double(fields[0]), let second = Double(fields[1]), first.isFinite,
        second.isFinite
      else {
        reporter.report(
          .pointsExpected, ["text": printable(String(line.text).debugDescription)], at: position)
        continue
      }
      let (raw, grams) = isGramsFirst ? (second, first) : (first, second)
      points.append(CalibrationPoint(counts: raw, mass: Grams(grams)))
      if points.count == maximumCount {
        reporter.report(.pointsTooMany, ["limit": maximumCount], at: position)
        break
      }
    }
    return points
  }

  private static func fields(of line: Substring, separators: String) -> [String] {
    line.split(omittingEmptySubsequences: false) { separators.contains($0) }
      .map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
  }

  /// A field with a dot for its decimal comma. Semicolons are used where the comma is that of a decimal; next to tabs, a comma before
  /// three digits may be that of thousands and remains, so that the number is refused.
  private static func withoutDecimalComma(_ field: String, _ separator: Character) -> String {
    guard let comma = field.firstIndex(of: ","), separator == ";" || field[comma...].count != 4 else { return field }
    return field.replacing(",", with: ".")
  }

  private static func yaml(_ bytes: [UInt8], _ reporter: DiagnosticReporter) -> [CalibrationPoint] {
    guard var node = YAMLDocument(bytes, reporter).load() else {
      if reporter.context.diagnostics.isEmpty { reporter.report(.pointsNone, at: .start) }
      return []
    }
    // The points of a configuration or calibration file; other keys are ignored.
    for key in ["calibration", "points"] {
      if case .mapping(let entries) = node.content, let entry = entries.first(where: { $0.key == key }) {
        node = entry.value
      }
    }
    return reporter.points(of: node, atMost: maximumCount, ValueRule<CalibrationPoint>.anyPoint.read) ?? []
  }
}

extension ValueRule<CalibrationPoint> {
  /// `{raw: 266, grams: 100}` and any other keys; `CalibrationTrial` checks the values.
  fileprivate static var anyPoint: Self {
    ValueRule(reading: { node, reporter in
      var raw: Double?
      var grams: Double?
      var item = SectionReader(item: node, .point, reporter)
      item.require("raw", .number(-1e12...1e12), into: &raw)
      item.require("grams", .number(-1e12...1e12), into: &grams)
      guard item.isValid("raw"), item.isValid("grams"), let raw, let grams else { return nil }
      return CalibrationPoint(counts: raw, mass: Grams(grams))
    })
  }
}
