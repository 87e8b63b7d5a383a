import Weighing

/// A command of MT-SICS, levels 0 and 1, with `SC`, `TC`, `ZC` and `M21` in addition.
///
/// Source: "MT-SICS Reference Manual", Mettler-Toledo 11780711. A command has upper-case letters; one space separates
/// it from its parameters.
enum SICSCommand: Hashable, Sendable {
  /// `@`: cancel what waits, clear the tare, send the serial number.
  case reset
  /// `I0`: list the commands.
  case commands
  /// `I1`: the levels and their versions.
  case levels
  /// `I2`: type, model and capacity.
  case balance
  /// `I3`: the version of the software.
  case version
  /// `I4`: the serial number.
  case serialNumber
  /// `S`: the next stable net.
  case stable
  /// `SC`: the next stable net, or the current one after a time.
  case stableWithin(milliseconds: Int)
  /// `SI`: the current net.
  case immediate
  /// `SIR`: the current net, again and again.
  case repeated
  /// `SR`: the net after each change; the least change in grams, `nil` for the usual one.
  case onChange(grams: Double?)
  /// `Z`, `ZI`: zero.
  case zero(immediately: Bool)
  /// `T`, `TI`: tare.
  case tare(immediately: Bool)
  /// `ZC`: zero at rest, or not at all after a time.
  case zeroWithin(milliseconds: Int)
  /// `TC`: tare at rest, or the load in motion after a time.
  case tareWithin(milliseconds: Int)
  /// `TA`: the tare.
  case tareValue
  /// `TA` with a mass in grams: set the tare.
  case presetTare(grams: Double)
  /// `TAC`: clear the tare.
  case clearTare
  /// `D`: a text for the display.
  case displayText
  /// `DW`: show the weight.
  case displayWeight
  /// `K`: what the keys do; 1 is the usual mode, and the only one that a scale without keys has.
  case keyMode(isUsual: Bool)
  /// `M21`: the unit; grams is the only one.
  case unit(isSet: Bool)

  /// Why a line is not performed.
  enum Problem: Error, Hashable, Sendable {
    /// The command is not known: `ES`.
    case unknown
    /// The command takes no parameters: `EL`.
    case unexpectedParameter
    /// A parameter is wrong: the command and `L`.
    case badParameter(String)
  }

  /// The levels of the commands, as `I0` lists them.
  static let list: [(level: Int, name: String)] = [
    (0, "@"), (0, "I0"), (0, "I1"), (0, "I2"), (0, "I3"), (0, "I4"), (0, "S"), (0, "SI"), (0, "SIR"), (0, "Z"),
    (0, "ZI"), (1, "D"), (1, "DW"), (1, "K"), (1, "SR"), (1, "T"), (1, "TA"), (1, "TAC"), (1, "TI"), (2, "M21"),
    (2, "SC"), (2, "TC"), (2, "ZC"),
  ]

  /// Parses a line without its end.
  init(_ line: String) throws(Problem) {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    let parameters = parts.count > 1 ? String(parts[1]) : nil
    if let command = Self.withoutParameters[name] {
      guard parameters == nil else { throw .unexpectedParameter }
      self = command
      return
    }
    switch name {
    case "D":
      guard let parameters, Self.isQuoted(parameters) else { throw .badParameter(name) }
      self = .displayText
    case "K":
      // 1: a key has its function. 2: it does nothing. 3 and 4: it is reported to the client.
      guard let parameters, ["1", "2", "3", "4"].contains(parameters) else { throw .badParameter(name) }
      self = .keyMode(isUsual: parameters == "1")
    case "SR":
      guard let parameters else {
        self = .onChange(grams: nil)
        return
      }
      guard let grams = Self.grams(parameters), grams > 0 else { throw .badParameter(name) }
      self = .onChange(grams: grams)
    case "SC", "TC", "ZC":
      guard let time = parameters.flatMap(Self.number), (0...65_535).contains(time) else { throw .badParameter(name) }
      let milliseconds = Int(time)
      self =
        switch name {
        case "SC": .stableWithin(milliseconds: milliseconds)
        case "TC": .tareWithin(milliseconds: milliseconds)
        case _: .zeroWithin(milliseconds: milliseconds)
        }
    case "TA":
      guard let parameters else {
        self = .tareValue
        return
      }
      guard let grams = Self.grams(parameters), (0...Grams.maximum.value).contains(grams) else {
        throw .badParameter(name)
      }
      self = .presetTare(grams: grams)
    case "M21":
      // The places of the unit: 0 the host, 1 the display; the unit 0 is gram.
      switch parameters {
      case nil, "0", "1": self = .unit(isSet: false)
      case "0 0", "1 0": self = .unit(isSet: true)
      default: throw .badParameter(name)
      }
    default: throw .unknown
    }
  }

  private static let withoutParameters: [String: SICSCommand] = [
    "@": .reset, "I0": .commands, "I1": .levels, "I2": .balance, "I3": .version, "I4": .serialNumber, "S": .stable,
    "SI": .immediate, "SIR": .repeated, "Z": .zero(immediately: false), "ZI": .zero(immediately: true),
    "T": .tare(immediately: false), "TI": .tare(immediately: true), "TAC": .clearTare, "DW": .displayWeight,
  ]

  /// Whether the command changes the scale, so that the scale decides on it.
  var isAction: Bool {
    switch self {
    case .reset, .zero, .zeroWithin, .tare, .tareWithin, .presetTare, .clearTare: true
    case .commands, .levels, .balance, .version, .serialNumber, .stable, .stableWithin, .immediate, .repeated,
      .onChange, .tareValue, .displayText, .displayWeight, .keyMode, .unit:
      false
    }
  }

  private static func isQuoted(_ text: String) -> Bool {
    text.utf8.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
  }

  /// Parses a mass, `12.5 g`.
  static func grams(_ text: String) -> Double? {
    guard text.hasSuffix(" g") else { return nil }
    return number(String(text.dropLast(2)))
  }

  /// Parses a decimal number without an exponent.
  private static func number(_ text: String) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard (1...16).contains(digits.utf8.count), digits.utf8.first != UInt8(ascii: "."),
      digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(text)
  }
}
