/// What a request asks for besides the name of its action, the label and the weighing that it refers to.
public enum ActionArguments: Hashable, Sendable {
  /// No parameters: `tare` takes the load on the pad, `target`, `count` and `dose` end.
  case none
  /// The tare to set, instead of the load on the pad.
  case tare(PresetTare)
  /// A container to store or to remove.
  case container(ContainerChange)
  /// What to do with the timer.
  case timer(TimerCommand)
  /// The target to set.
  case target(Target)
  /// The piece mass to count with.
  case count(PieceReference)
  /// The dose to start, or the label to forget.
  case dose(DoseCommand)
}

/// A tare that is given as a value.
public enum PresetTare: Hashable, Sendable {
  /// A mass.
  case mass(Grams)
  /// The tare of a stored container.
  case container(ContainerName)
}

/// A change of the stored containers.
public enum ContainerChange: Hashable, Sendable {
  /// Store the load on the pad as the tare of a container.
  case store(ContainerName)
  /// Remove a container.
  case remove(ContainerName)
}

/// Where the mass of a piece comes from.
public enum PieceReference: Hashable, Sendable {
  /// The load on the pad is this number of pieces. `spread` is one standard deviation of the mass of a piece as a
  /// fraction of it.
  case sample(pieces: Int, spread: Double)
  /// The mass of a piece.
  case mass(Grams, spread: Double)

  /// The largest number of pieces in a sample.
  public static let maximumPieces = PieceCounter.maximumPieces
}

extension Action {
  /// The names of the parameters of an action, in a command and in `user_info` of a quick action.
  public var parameterNames: [String] {
    switch self {
    case .tare: ["tare_g", "container"]
    case .container: ["name", "remove"]
    case .timer: ["do"]
    case .target: ["target_g", "tolerance_g", "stop_ahead"]
    case .count: ["pieces", "piece_g", "piece_spread"]
    case .dose: ["output", "target_g", "tolerance_g", "forget"]
    case .clearTare, .zero, .commit, .void, .relabel: []
    }
  }
}

extension ActionArguments {
  /// Reads the parameters of an action; other names are ignored.
  ///
  /// - Throws: `ActionArgumentError` for a missing parameter, one of the wrong type or out of range, and two that
  ///   contradict each other.
  public init(of action: Action, from values: [QuickAction.Parameter]) throws(ActionArgumentError) {
    let reader = ParameterReader(values)
    switch action {
    case .tare: self = try Self.tare(reader)
    case .container:
      guard let name = try reader.container("name") else { throw ActionArgumentError("name", .missing) }
      self = .container(try reader.flag("remove") ?? false ? .remove(name) : .store(name))
    case .timer:
      guard let command = try reader.word("do", of: TimerCommand.allCases) else {
        throw ActionArgumentError("do", .missing)
      }
      self = .timer(command)
    case .target:
      self = try Self.target(reader).map(Self.target) ?? .none
    case .dose: self = try Self.dose(reader)
    case .count: self = try Self.count(reader)
    case .clearTare, .zero, .commit, .void, .relabel: self = .none
    }
  }

  private static func tare(_ reader: ParameterReader) throws(ActionArgumentError) -> ActionArguments {
    let container = try reader.container("container")
    guard let mass = try reader.mass("tare_g", isZeroAllowed: true) else {
      return container.map { .tare(.container($0)) } ?? .none
    }
    if container != nil { throw ActionArgumentError("container", .excludes("tare_g")) }
    return .tare(.mass(mass))
  }

  private static func target(_ reader: ParameterReader) throws(ActionArgumentError) -> Target? {
    guard let mass = try reader.mass("target_g", isZeroAllowed: false) else {
      for name in ["tolerance_g", "stop_ahead"] { try reader.requireAbsence(of: name, without: ["target_g"]) }
      return nil
    }
    return Target(
      mass: mass, tolerance: try reader.mass("tolerance_g", isZeroAllowed: true),
      stopsAhead: try reader.flag("stop_ahead"))
  }

  private static func dose(_ reader: ParameterReader) throws(ActionArgumentError) -> ActionArguments {
    let output = try reader.output("output")
    if let label = try reader.label("forget") {
      if output != nil { throw ActionArgumentError("forget", .excludes("output")) }
      for name in ["target_g", "tolerance_g"] { try reader.requireAbsence(of: name, without: ["output"]) }
      return .dose(.forget(label: label))
    }
    switch (output, try target(reader)) {
    case (let output?, let target?): return .dose(.start(Dose(output: output, target: target)))
    case (nil, nil): return .none
    case (nil, _?): throw ActionArgumentError("output", .missing)
    case (_?, nil): throw ActionArgumentError("target_g", .missing)
    }
  }

  private static func count(_ reader: ParameterReader) throws(ActionArgumentError) -> ActionArguments {
    let spread = try reader.number("piece_spread", in: 0...0.5)
    let mass = try reader.mass("piece_g", isZeroAllowed: false)
    let range = 1...PieceCounter.maximumPieces
    let pieces = try reader.integer("pieces", in: range)
    switch (pieces, mass) {
    case (let pieces?, nil): return .count(.sample(pieces: pieces, spread: spread ?? PieceCounter.usualSpread))
    case (nil, let mass?): return .count(.mass(mass, spread: spread ?? PieceCounter.usualSpread))
    case (nil, nil):
      try reader.requireAbsence(of: "piece_spread", without: ["pieces", "piece_g"])
      return .none
    case (_?, _?): throw ActionArgumentError("piece_g", .excludes("pieces"))
    }
  }
}

/// Reads parameters by name.
private struct ParameterReader {
  private let values: [QuickAction.Parameter]

  init(_ values: [QuickAction.Parameter]) { self.values = values }

  private func value(_ name: String) -> QuickAction.Value? { values.first { $0.name == name }?.value }

  func mass(_ name: String, isZeroAllowed: Bool) throws(ActionArgumentError) -> Grams? {
    guard let value = value(name) else { return nil }
    guard case .number(let number) = value, number > 0 || isZeroAllowed && number == 0, number <= Grams.maximum.value
    else {
      throw ActionArgumentError(name, .notAMass(isZeroAllowed: isZeroAllowed))
    }
    return Grams(number)
  }

  func number(_ name: String, in range: ClosedRange<Double>) throws(ActionArgumentError) -> Double? {
    guard let value = value(name) else { return nil }
    guard case .number(let number) = value, range.contains(number) else {
      throw ActionArgumentError(name, .notANumber(range))
    }
    return number
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ActionArgumentError) -> Int? {
    guard let value = value(name) else { return nil }
    guard case .number(let number) = value, let integer = Int(exactly: number), range.contains(integer) else {
      throw ActionArgumentError(name, .notAnInteger(range))
    }
    return integer
  }

  func flag(_ name: String) throws(ActionArgumentError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .flag(let flag) = value else { throw ActionArgumentError(name, .notAFlag) }
    return flag
  }

  func word<Word: RawRepresentable<String>>(_ name: String, of words: [Word]) throws(ActionArgumentError) -> Word? {
    guard let value = value(name) else { return nil }
    guard case .text(let text) = value, let word = words.first(where: { $0.rawValue == text }) else {
      throw ActionArgumentError(name, .notAWord(words.map(\.rawValue)))
    }
    return word
  }

  func container(_ name: String) throws(ActionArgumentError) -> ContainerName? {
    guard let value = value(name) else { return nil }
    guard case .text(let text) = value, let container = ContainerName(text) else {
      throw ActionArgumentError(name, .notALine(maximumBytes: ContainerName.maximumBytes))
    }
    return container
  }

  func output(_ name: String) throws(ActionArgumentError) -> OutputName? {
    guard let value = value(name) else { return nil }
    guard case .text(let text) = value, let output = OutputName(text) else {
      throw ActionArgumentError(name, .notALine(maximumBytes: OutputName.maximumBytes))
    }
    return output
  }

  func label(_ name: String) throws(ActionArgumentError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .text(let text) = value, text.utf8.count <= QuickAction.maximumValueBytes else {
      throw ActionArgumentError(name, .notALine(maximumBytes: QuickAction.maximumValueBytes))
    }
    return text
  }

  func requireAbsence(of name: String, without others: [String]) throws(ActionArgumentError) {
    if value(name) != nil { throw ActionArgumentError(name, .requires(others)) }
  }
}
