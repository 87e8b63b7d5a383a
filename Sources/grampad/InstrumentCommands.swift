import ArgumentParser
import Languages
import Weighing

/// `timer`
struct TimerAction: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "timer", "Start, stop or reset the timer of a running appliance.", example: " start")
  @Argument(help: "start lets a stopped timer run on.")
  var command: TimerCommand
  @OptionGroup var options: ActionOptions

  func run() throws {
    try options.send(.timer, parameters: [.text("do", command.rawValue)].compactMap(\.self))
  }
}

extension TimerCommand: ExpressibleByArgument {}

/// `container`
struct ContainerCommand: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "container", "Store the load on a running appliance as a container, or remove a stored container.", example: " jug")
  @Argument(help: "The name of the container.")
  var name: String
  @Flag(help: "Remove the stored container.")
  var remove = false
  @OptionGroup var options: ActionOptions

  func parameters() throws -> [QuickAction.Parameter] {
    try checked(
      [.text("name", name), .flag("remove", remove)].compactMap(\.self), for: .container, named: ["name": "NAME"])
  }

  func validate() throws { _ = try parameters() }

  func run() throws { try options.send(.container, parameters: try parameters()) }
}

/// `target`
struct TargetCommand: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "target", "Set a target for the net weight of a running appliance, or end it.", example: " 18 --tolerance 0.5")
  @Argument(help: "The net weight to reach, in grams.")
  var grams: Double?
  @Option(parsing: .unconditional, help: "How far the net weight may be off, in grams. Default: one division.")
  var tolerance: Double?
  @Flag(help: "Report target_stop as soon as the load will have reached the target.")
  var stopAhead = false
  @Option(help: "The label under which the scale learns how much arrives after the stop.")
  var label: String?
  @Flag(help: "End the target.")
  var off = false
  @OptionGroup var options: ActionOptions

  func parameters() throws -> [QuickAction.Parameter] {
    guard off != (grams != nil) else { throw ValidationError("Give either GRAMS or --off.") }
    return try checked(
      [.number("target_g", grams), .number("tolerance_g", tolerance), .flag("stop_ahead", stopAhead)].compactMap(
        \.self),
      for: .target,
      named: ["target_g": "GRAMS", "tolerance_g": "--tolerance", "stop_ahead": "--stop-ahead"])
  }

  func validate() throws { _ = try parameters() }

  func run() throws { try options.send(.target, label: label, parameters: try parameters()) }
}

/// `count`
struct CountCommand: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "count", "Count pieces on a running appliance: the current load is a sample, or the mass of a piece is given.",
    example: " 10")
  @Argument(help: "The number of pieces on the pad.")
  var pieces: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp("The mass of a piece in grams.", valueName: "mass"))
  var pieceGrams: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "One standard deviation of the mass of a piece as a fraction of it. Default: 0.02.", valueName: "fraction"))
  var pieceSpread: Double?
  @Flag(help: "End counting.")
  var off = false
  @OptionGroup var options: ActionOptions

  func parameters() throws -> [QuickAction.Parameter] {
    guard [off, pieces != nil, pieceGrams != nil].filter({ $0 }).count == 1 else {
      throw ValidationError("Give one of PIECES, --piece-grams and --off.")
    }
    return try checked(
      [
        .number("pieces", pieces.map(Double.init)), .number("piece_g", pieceGrams),
        .number("piece_spread", pieceSpread),
      ].compactMap(\.self), for: .count,
      named: ["pieces": "PIECES", "piece_g": "--piece-grams", "piece_spread": "--piece-spread"])
  }

  func validate() throws { _ = try parameters() }

  func run() throws { try options.send(.count, parameters: try parameters()) }
}

/// Checks parameters as the appliance will.
///
/// - Parameter names: How the command line calls the parameters.
func checked(
  _ parameters: [QuickAction.Parameter], for action: Action, named names: [String: String]
) throws(ValidationError) -> [QuickAction.Parameter] {
  do throws(ActionArgumentError) {
    _ = try ActionArguments(of: action, from: parameters)
    return parameters
  } catch {
    throw ValidationError("\(error.sentence { names[$0] ?? $0 }).")
  }
}

extension QuickAction.Parameter {
  /// A parameter with a number; `nil` without one.
  static func number(_ name: String, _ value: Double?) -> Self? { value.map { Self(name: name, value: .number($0)) } }

  /// A parameter with a text; `nil` without one.
  static func text(_ name: String, _ value: String?) -> Self? { value.map { Self(name: name, value: .text($0)) } }

  /// A parameter that is true; `nil` for false.
  static func flag(_ name: String, _ value: Bool) -> Self? { value ? Self(name: name, value: .flag(true)) : nil }
}
