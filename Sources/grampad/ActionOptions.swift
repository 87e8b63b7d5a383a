import ArgumentParser
import Client
import Commands
import Configuration
import Glibc
import Linux
import Weighing

/// The options that all commands to a running appliance share.
struct ActionOptions: ParsableArguments {
  @OptionGroup var appliance: ConnectionOptions
  @Option(
    parsing: .unconditional,
    help: "Seconds to wait for a response. Default: 5, or confirm.settle_ms plus 3 seconds if that is longer.")
  var timeout: Double?
  @Flag(help: "Print the result as JSON, even on a terminal.")
  var json = false
  @OptionGroup var log: LogOptions

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 3600) {
      throw ValidationError("--timeout must be greater than 0 and at most 3600.")
    }
  }

  static func configuration(
    _ name: String, _ abstract: String, note: String = "", example: String = ""
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: abstract,
      discussion: """
        Sends the command through the configured broker. Prints the result as a sentence on a terminal; otherwise, or with --json, \
        as a line of JSON. The exit code is 0 if the action succeeded, 1 if it was rejected (the reason is printed to standard \
        error), and 69 if no broker is available or the appliance does not respond.\(note)

        Examples:
          grampad \(name)\(example) --config scale.yaml
          grampad \(name)\(example) --broker mqtt://127.0.0.1:1883 --device kitchen
        """)
  }

  /// Requests an action and prints the result.
  func send(
    _ action: Action, label: String? = nil, reference: WeighingReference = .last,
    parameters: [QuickAction.Parameter] = []
  ) throws {
    try send(name: action.rawValue, label: label, reference: reference, parameters: parameters)
  }

  /// How long to wait for a response.
  func patience(_ configuration: Configuration) -> Interval {
    timeout.map { .seconds($0) } ?? max(.seconds(5), configuration.confirm.settle + .seconds(3))
  }

  /// Requests an action by its name and prints the result.
  func send(
    name: String, label: String? = nil, reference: WeighingReference = .last,
    parameters: [QuickAction.Parameter] = []
  ) throws {
    try failing {
      let (configuration, brokers, folder) = try appliance.resolved()
      let call = try CommandCall(
        name, label: label, reference: reference, parameters: parameters, configuration, brokers: brokers,
        folder: folder, patience: patience(configuration))
      let answer = try call.run(logger: log.logger(default: .error))
      let sentence = ResultSentence(.ofUser)
      let isForPerson = !json && isatty(STDOUT_FILENO) == 1
      if !isForPerson {
        try printAll(String(decoding: answer.payload, as: UTF8.self) + "\n")
      } else if answer.rejection == nil {
        let done = sentence.done(answer.payload, parameters: parameters, display: configuration.scale.display)
        try printAll((done ?? sentence.done(name)).escapedForTerminal + "\n")
      }
      if let rejection = answer.rejection {
        printMessage(sentence.rejected(name, rejection, detail: answer.detail))
        throw ExitCode(1)
      }
    }
  }
}
