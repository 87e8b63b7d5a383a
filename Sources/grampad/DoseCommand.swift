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

/// `dose`
struct DoseCommand: ParsableCommand {
  static let configuration = ActionOptions.configuration(
    "dose", "Dose with a running appliance: switch an output on until the net weight is reached, or stop a dose.",
    note: """


      The answer comes when the output is switched on; `watch` shows the dose. --learned prints what was learned about stops, as a \
      table on a terminal, otherwise as JSON.
      """, example: " grinder 18 --label beans")
  @Argument(help: "The name of the output in the configuration of the appliance.")
  var output: String?
  @Argument(help: "The net weight to reach, in grams.")
  var grams: Double?
  @Option(parsing: .unconditional, help: "How far the net weight may be off, in grams. Default: one division.")
  var tolerance: Double?
  @Option(help: "The label under which the scale learns how much arrives after the stop.")
  var label: String?
  @Flag(help: "Stop the dose under way.")
  var stop = false
  @Flag(help: "Print what was learned about stops, for each label.")
  var learned = false
  @Option(help: ArgumentHelp("Forget what was learned for a label; '' for doses without one.", valueName: "label"))
  var forget: String?
  @OptionGroup var options: ActionOptions

  func parameters() throws -> [QuickAction.Parameter] {
    let start = [.text("output", output), .number("target_g", grams), .number("tolerance_g", tolerance)]
      .compactMap(\QuickAction.Parameter?.self)
    guard [!start.isEmpty || label != nil, stop, learned, forget != nil].filter({ $0 }).count == 1 else {
      throw ValidationError("Give one of OUTPUT GRAMS, --stop, --learned and --forget.")
    }
    guard stop || learned || forget != nil || (output != nil && grams != nil) else {
      throw ValidationError("Give OUTPUT and GRAMS.")
    }
    return try checked(
      start + [.text("forget", forget)].compactMap(\.self), for: .dose,
      named: ["output": "OUTPUT", "target_g": "GRAMS", "tolerance_g": "--tolerance", "forget": "--forget"])
  }

  func validate() throws { _ = try parameters() }

  func run() throws {
    let parameters = try parameters()
    if learned { try printLearned() } else { try options.send(.dose, label: label, parameters: parameters) }
  }

  /// Prints the retained message of the topic `learned`.
  private func printLearned() throws {
    try failing {
      let (configuration, brokers, folder) = try options.appliance.resolved()
      let payload = try RetainedQuery.run(
        .learned, of: configuration, brokers: brokers, folder: folder, patience: options.patience(configuration),
        logger: options.log.logger(default: .error))
      if options.json || isatty(STDOUT_FILENO) != 1 {
        return try printAll(String(decoding: payload, as: UTF8.self) + "\n")
      }
      let texts = Texts.ofUser
      guard let json = try? JSONValue(payload, maximumBytes: 1 << 17), case .array(let stops) = json, !stops.isEmpty
      else { return try printAll(texts(.learnedNothing) + "\n") }
      let head: [TextKey] = [.learnedLabel, .learnedDeadTime, .learnedFlow, .learnedArrived, .learnedDoses]
      let rows = stops.map { stop -> [String] in
        func cell(_ key: String, _ decimals: Int, _ unit: String = "") -> String {
          guard case .number(let number)? = stop[key] else { return "" }
          return DecimalText.fixed(number, decimals: decimals) + unit
        }
        return [
          stop["label"]?.text?.escapedForTerminal ?? "", cell("dead_time_ms", 0, " ms"), cell("flow_g_s", 2, " g/s"),
          cell("arrived_g", 2, " g"), cell("doses", 0),
        ]
      }
      try printAll(TextTable.text([head.map { texts($0) }] + rows))
    }
  }
}
