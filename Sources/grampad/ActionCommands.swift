import ArgumentParser
import Messages
import Weighing

/// `tare`
struct Tare: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "tare", "Tare a running appliance: with the current load, a given mass or a known container.",
    example: " --container jug")
  @OptionGroup var options: ActionOptions
  @Option(help: ArgumentHelp("Set the tare to this mass in grams.", valueName: "mass"))
  var grams: Double?
  @Option(help: "Set the tare to the mass of this container; it need not be on the pad.")
  var container: String?

  func parameters() throws -> [QuickAction.Parameter] {
    try checked(
      [.number("tare_g", grams), .text("container", container)].compactMap(\.self), for: .tare)
  }

  func validate() throws { _ = try parameters() }

  func run() throws { try options.send(.tare, parameters: try parameters()) }
}

/// `clear-tare`
struct ClearTare: ParsableCommand {
  static let configuration = ActionOptions.configuration("clear-tare", "Clear the tare of a running appliance.")
  @OptionGroup var options: ActionOptions

  func run() throws { try options.send(.clearTare) }
}

/// `zero`
struct Zero: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "zero", "Zero a running appliance at its current load and clear the tare.")
  @OptionGroup var options: ActionOptions

  func run() throws { try options.send(.zero) }
}

/// `commit`
struct Commit: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "commit", "Record the current net weight of a running appliance as a weighing.", example: " --label beans")
  @OptionGroup var options: ActionOptions
  @Option(help: "The label of the weighing.")
  var label: String?

  func run() throws { try options.send(.commit, label: label) }
}

/// The weighing that `void` and `relabel` apply to.
struct WeighingOption: ParsableArguments {
  @Option(help: "The id of the weighing, as history --json shows it. Default: the last weighing.")
  var id: String?
}

/// `void`
struct VoidCommand: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "void", "Void a weighing of a running appliance by recording its reversal.",
    example: " --id 019b76da-a800-7000-8000-000000000001")
  @OptionGroup var options: ActionOptions
  @OptionGroup var weighing: WeighingOption

  func run() throws { try options.send(.void, id: weighing.id) }
}

/// `relabel`
struct Relabel: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "relabel", "Change the label of a weighing of a running appliance.",
    example: " \"rye flour\"")
  @Argument(help: "The new label; an empty label removes it.")
  var label: String
  @OptionGroup var options: ActionOptions
  @OptionGroup var weighing: WeighingOption

  func run() throws { try options.send(.relabel, label: label, id: weighing.id) }
}

/// `action`
struct ActionCommand: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "action", "Trigger a built-in action or a quick action of a running appliance.",
    example: " beans")
  @Argument(help: "The action: \(Action.list) or the type of a quick action.", completion: .action)
  var type: String
  @OptionGroup var options: ActionOptions
  @Option(help: "The label of the weighing, overriding the label of the quick action.")
  var label: String?

  func validate() throws {
    guard Action(rawValue: type) != nil || QuickAction.isType(type) else {
      throw ValidationError("TYPE must consist of 1 to 64 letters, digits, _ or -.")
    }
  }

  func run() throws { try options.send(name: type, label: label) }
}
