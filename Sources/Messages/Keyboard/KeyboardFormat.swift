import Weighing

/// The text that is typed for a weighing: `{net_g}\n`.
///
/// A field stands in braces, `{label}`; `{net_g:,}` has a decimal comma. `{{` and `}}` are braces.
public struct KeyboardFormat: Hashable, Sendable {
  /// A value of the weighing, by its name in the payload of `weighing`.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    case net = "net_g"
    case gross = "gross_g"
    case tare = "tare_g"
    case uncertainty = "uncertainty_g"
    case pieces
    case label
    case sequence
    case time
    case id
    case source
    case calibration
    case clock

    /// Whether the value has decimals, and so may have a decimal comma.
    public var hasDecimals: Bool {
      switch self {
      case .net, .gross, .tare, .uncertainty: true
      case .pieces, .label, .sequence, .time, .id, .source, .calibration, .clock: false
      }
    }
  }

  private enum Part: Hashable, Sendable {
    case text(String)
    case field(Field, hasComma: Bool)
  }

  /// What is typed for a weighing.
  public struct Typing: Hashable, Sendable {
    /// The presses.
    public var strokes: [KeyStroke]
    /// The number of characters that the layout cannot type, replaced by question marks.
    public var replaced: Int
  }

  /// The format as it was given.
  public let text: String
  private let parts: [Part]

  /// The net and Enter.
  public static let standard = KeyboardFormat(text: "{net_g}\n", parts: [.field(.net, hasComma: false), .text("\n")])

  /// The maximum length in bytes.
  public static let maximumBytes = 256
  /// The maximum number of fields: with the longest labels, about a minute of typing.
  public static let maximumFields = 16

  private init(text: String, parts: [Part]) { (self.text, self.parts) = (text, parts) }

  /// Parses a format.
  public init(_ text: String) throws(KeyboardFormatError) {
    self.text = text
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= Self.maximumBytes else { throw .tooLong(text.utf8.count) }
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if (character == "{" || character == "}"), rest.first == character {
        literal.append(rest.removeFirst())
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else { throw .unclosed }
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        parts.append(try Self.field(String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      } else if character == "}" {
        throw .unopened
      } else {
        literal.append(character)
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    let fields = parts.count { if case .field = $0 { true } else { false } }
    guard fields <= Self.maximumFields else { throw .tooManyFields(fields) }
    self.parts = parts
  }

  private static func field(_ text: String) throws(KeyboardFormatError) -> Part {
    let hasComma = text.hasSuffix(":,")
    let name = hasComma ? String(text.dropLast(2)) : text
    guard let field = Field(rawValue: name) else { throw .unknownField(name) }
    guard !hasComma || field.hasDecimals else { throw .commaWithoutDecimals(field) }
    return .field(field, hasComma: hasComma)
  }

  /// The first character outside of the fields that a layout cannot type; `nil` if it can type all.
  public func characterMissing(from layout: KeyboardLayout) -> Character? {
    for case .text(let text) in parts {
      if let missing = text.first(where: { layout.stroke(for: $0) == nil }) { return missing }
    }
    return nil
  }

  /// The presses for a weighing. A value that is not known types nothing.
  ///
  /// Line ends and tabs in a value are replaced, too: they would end the entry early.
  public func typing(_ record: RecordedWeighing, on layout: KeyboardLayout) -> Typing {
    var typing = Typing(strokes: [], replaced: 0)
    for part in parts {
      switch part {
      case .text(let text): typing.strokes += text.compactMap(layout.stroke)
      case .field(let field, let hasComma):
        for character in field.value(of: record) {
          let meant = hasComma && character == "." ? "," : character
          let isControl = meant.unicodeScalars.contains { $0.properties.generalCategory == .control }
          if !isControl, let stroke = layout.stroke(for: meant) {
            typing.strokes.append(stroke)
          } else {
            typing.replaced += 1
            if let mark = layout.stroke(for: "?") { typing.strokes.append(mark) }
          }
        }
      }
    }
    return typing
  }
}

extension KeyboardFormat.Field {
  /// The value: masses with the decimals of the division, the uncertainty to a milligram, the time of RFC 3339 in UTC.
  fileprivate func value(of record: RecordedWeighing) -> String {
    let measurement = record.measurement
    return switch self {
    case .net: measurement.net.description
    case .gross: measurement.gross.description
    case .tare: measurement.tare.description
    case .uncertainty: measurement.uncertainty.map { DecimalText.fixed($0.value, decimals: 3) } ?? ""
    case .pieces: measurement.pieces.map(String.init) ?? ""
    case .label: record.label ?? ""
    case .sequence: String(record.sequence)
    case .time: WallClock.recorded.text(record.time)
    case .id: record.id.description
    case .source: record.source.rawValue
    case .calibration: measurement.calibration.rawValue
    case .clock: record.clock?.rawValue ?? ""
    }
  }
}

/// Why a text is no format.
public enum KeyboardFormatError: Error, Hashable, Sendable {
  case empty
  case tooLong(Int)
  case tooManyFields(Int)
  case unclosed
  case unopened
  case unknownField(String)
  case commaWithoutDecimals(KeyboardFormat.Field)
}
