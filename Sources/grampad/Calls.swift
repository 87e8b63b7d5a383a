import Appliance
import ArgumentParser
import Client
import Configuration
import EventLoop
import Glibc
import MQTTLink
import Messages
import Weighing

/// `tare`
struct Tare: AsyncParsableCommand {
  static let configuration = Call.configuration(
    "tare", "Tare a running appliance: the current load becomes the tare.")
  @OptionGroup var call: Call

  func run() async throws { try await call.make(.tare) }
}

/// `clear-tare`
struct ClearTare: AsyncParsableCommand {
  static let configuration = Call.configuration("clear-tare", "Clear the tare of a running appliance.")
  @OptionGroup var call: Call

  func run() async throws { try await call.make(.clearTare) }
}

/// `zero`
struct Zero: AsyncParsableCommand {
  static let configuration = Call.configuration(
    "zero", "Zero a running appliance at its current load and clear the tare.")
  @OptionGroup var call: Call

  func run() async throws { try await call.make(.zero) }
}

/// `commit`
struct Commit: AsyncParsableCommand {
  static let configuration = Call.configuration(
    "commit", "Record the current net weight of a running appliance as a weighing.", example: " --label beans")
  @OptionGroup var call: Call
  @Option(help: "The label of the weighing.")
  var label: String?

  func run() async throws { try await call.make(.commit, label: label) }
}

/// `void`
struct VoidCommand: AsyncParsableCommand {
  static let configuration = Call.configuration(
    "void", "Void a weighing of a running appliance by recording its reversal.",
    example: " --id 019b76da-a800-7000-8000-000000000001")
  @OptionGroup var call: Call
  @Option(help: "The id of the weighing, as history --json shows it. Default: the last weighing.")
  var id: String?

  func run() async throws { try await call.make(.void, id: id) }
}

/// `relabel`
struct Relabel: AsyncParsableCommand {
  static let configuration = Call.configuration(
    "relabel", "Change the label of a weighing of a running appliance.",
    example: " \"rye flour\"")
  @Argument(help: "The new label; an empty label removes it.")
  var label: String
  @OptionGroup var call: Call
  @Option(help: "The id of the weighing, as history --json shows it. Default: the last weighing.")
  var id: String?

  func run() async throws { try await call.make(.relabel, label: label, id: id) }
}

/// `action`
struct ActionCommand: AsyncParsableCommand {
  static let configuration = Call.configuration(
    "action", "Trigger a built-in action or a quick action of a running appliance.",
    example: " beans")
  @Argument(
    help: "The action: tare, clear_tare, zero, commit, void, relabel or the type of a quick action.",
    completion: .action)
  var type: String
  @OptionGroup var call: Call
  @Option(help: "The label of the weighing, overriding the label of the quick action.")
  var label: String?

  func validate() throws {
    guard Action(rawValue: type) != nil || QuickAction.isType(type) else {
      throw ValidationError("TYPE must consist of 1 to 64 letters, digits, _ or -.")
    }
  }

  func run() async throws { try await call.make(name: type, label: label) }
}

/// The options that all commands to a running appliance share.
struct Call: ParsableArguments {
  @OptionGroup var options: ConfigurationOptions
  @Option(help: "The broker to connect to, mqtt://HOST:PORT. Default: the configured broker.")
  var broker: String?
  @Option(help: "The device.id of the appliance. Default: the configured device.id.")
  var device: String?
  @Option(
    help: "Seconds to wait for a response. Default: 5, or confirm.settle_ms plus 3 seconds if that is longer.")
  var timeout: Double?
  @Flag(help: "Print the result as JSON, even on a terminal.")
  var json = false
  @OptionGroup var log: LogOptions

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 3600) {
      throw ValidationError("--timeout must be greater than 0 and at most 3600.")
    }
    if let device, device.isEmpty || device.contains(where: { "/+#".contains($0) }) {
      throw ValidationError("--device must be a single topic level, without /, + and #.")
    }
    _ = try address()
  }

  static func configuration(_ name: String, _ abstract: String, example: String = "") -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: abstract,
      discussion: """
        Sends the command through the configured broker. Prints the result as a sentence on a terminal; otherwise, or with --json, \
        as a line of JSON. The exit code is 0 if the action succeeded, 1 if it was rejected (the reason is printed to standard \
        error), and 69 if no broker is available or the appliance does not respond.

        Examples:
          grampad \(name)\(example) --config scale.yaml
          grampad \(name)\(example) --broker mqtt://127.0.0.1:1883 --device kitchen
        """)
  }

  /// Requests an action and prints the result.
  func make(_ action: Action, label: String? = nil, id: String? = nil) async throws {
    try await make(name: action.rawValue, label: label, id: id)
  }

  /// Requests an action by its name and prints the result.
  func make(name: String, label: String? = nil, id: String? = nil) async throws {
    try await failing {
      let file = try options.file()
      var configuration = file?.current ?? Configuration()
      if let device { configuration.device.id = device }
      let patience =
        timeout.map { Interval.seconds($0) } ?? max(.seconds(5), configuration.confirm.settle + .seconds(3))
      let brokers = try address().map { [$0] }
      let answer: CommandCall.Answer
      do throws(ClientError) {
        let call = try CommandCall(
          name, label: label, id: id, configuration, brokers: brokers, folder: file?.folder ?? ".", patience: patience)
        answer = try call.run(logger: log.logger(default: .error))
      } catch {
        throw Failure(error)
      }
      let isForPerson = !json && isatty(STDOUT_FILENO) == 1
      if !isForPerson {
        try printAll(String(decoding: answer.payload, as: UTF8.self) + "\n")
      } else if answer.rejection == nil {
        try printAll((ResultSentence.done(answer.payload) ?? "\(name): done.").escapedForTerminal + "\n")
      }
      if let rejection = answer.rejection {
        complain("\(name) rejected: \(ResultSentence.rejected(rejection))")
        throw ExitCode(1)
      }
    }
  }

  private func address() throws -> BrokerAddress? { try broker.map { try BrokerArgument.address($0) } }
}

/// The value of `--broker`.
enum BrokerArgument {
  /// Parses the URL of a broker; throws a `ValidationError` if it is invalid.
  static func address(_ url: String) throws -> BrokerAddress {
    do throws(BrokerAddressError) {
      return try BrokerAddress(url: url)
    } catch {
      throw ValidationError("--broker: \(error.message)" + (error.suggestion.map { "; did you mean \($0)?" } ?? "."))
    }
  }
}

extension Failure {
  init(_ fault: ClientError) {
    let code: Sysexit =
      switch fault {
      case .password, .portUnknown: .configuration
      case .noBroker, .lost, .refused, .nobodyListens, .noAnswer, .noRetainedMessage: .unavailable
      }
    self.init(code, fault.description)
  }
}
