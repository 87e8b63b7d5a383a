import ArgumentParser
import Client
import Commands
import Configuration
import Glibc
import Languages
import Linux
import Messages
import Terminal
import Weighing

/// `tare`
struct Tare: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "tare", "Tare a running appliance: with the current load, a given mass or a known container.",
    example: " --container jug")
  @OptionGroup var options: ActionOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("Set the tare to this mass in grams.", valueName: "mass"))
  var grams: Double?
  @Option(help: "Set the tare to the mass of this container; it need not be on the pad.")
  var container: String?

  func parameters() throws -> [QuickAction.Parameter] {
    try checked(
      [.number("tare_g", grams), .text("container", container)].compactMap(\.self), for: .tare,
      named: ["tare_g": "--grams", "container": "--container"])
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
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of the weighing, 7 or '#7', or its id; see `history`. Default: the last weighing.",
      valueName: "weighing"
    ),
    transform: Self.reference)
  var id: WeighingReference?

  var reference: WeighingReference { id ?? .last }

  private static func reference(_ text: String) throws -> WeighingReference {
    if let id = WeighingID(text) { return .id(id) }
    guard let number = Int(text.hasPrefix("#") ? text.dropFirst() : text[...]), number >= 1 else {
      throw ValidationError("expected the number of a weighing, such as 7 or '#7', or its id.")
    }
    return .sequence(number)
  }
}

/// `void`
struct VoidCommand: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "void", "Void a weighing of a running appliance by recording its reversal.",
    note: """


      On a terminal, it asks first: it names the newest weighing that is not voided, or the one of --id, and voids that one. Without a \
      confirmation nothing changes, and the exit code is 1. With --yes or --json, or if input or output is not a terminal, it does \
      not ask, and without --id it voids the last weighing.
      """, example: " --id 7")
  @OptionGroup var options: ActionOptions
  @OptionGroup var weighing: WeighingOption
  @Flag(name: [.customShort("y"), .long], help: "Void without asking.")
  var yes = false

  func run() throws {
    let asks = !yes && !options.json && [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy { isatty($0) == 1 }
    try options.send(.void, reference: asks ? confirmed() : weighing.reference)
  }

  /// Asks for confirmation; returns the weighing that the question has named.
  private func confirmed() throws -> WeighingReference {
    try failing {
      let (configuration, brokers, folder) = try options.appliance.resolved()
      var last: [UInt8]?
      do {
        last = try RetainedQuery.run(
          .lastWeighing, of: configuration, brokers: brokers, folder: folder,
          patience: options.patience(configuration), logger: options.log.logger(default: .error))
      } catch ClientError.noRetainedMessage {
        last = nil
      }
      let question = VoidQuestion(weighing.reference, last: last, display: configuration.scale.display)
      guard TerminalDialog(texts: .ofUser).confirms(Texts.ofUser(question.text).escapedForTerminal, standard: false)
      else {
        printMessage(.remoteNothing)
        throw ExitCode(1)
      }
      return question.reference
    }
  }
}

/// `relabel`
struct Relabel: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "relabel", "Change the label of a weighing of a running appliance.",
    example: " \"rye flour\" --id 7")
  @Argument(help: "The new label; an empty label removes it.")
  var label: String
  @OptionGroup var options: ActionOptions
  @OptionGroup var weighing: WeighingOption

  func run() throws { try options.send(.relabel, label: label, reference: weighing.reference) }
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
