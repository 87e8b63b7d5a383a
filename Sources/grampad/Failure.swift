import Appliance
import ArgumentParser
import Configuration
import EvdevInput
import EventLoop
import IIOInput
import Journal
import Languages
import SystemPackage

/// The documented exit codes; numbers and meanings from sysexits.h, except 1.
enum Sysexit: Int32 {
  case rejected = 1
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case `internal` = 70
  case cannotCreate = 73
  case inputOutput = 74
  case noPermission = 77
  case configuration = 78
}

/// Ends a command with a message on standard error, which may have several lines, and an exit code.
struct Failure: Error {
  var code: Sysexit
  var message: Sentence
  /// Whether each line begins with file, line and column; editors recognise these only at the start of a line.
  var isLocated = false

  init(_ code: Sysexit, _ message: Sentence, isLocated: Bool = false) {
    self.code = code
    self.message = message
    self.isLocated = isLocated
  }

  init(
    _ code: Sysexit, _ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
  ) {
    self.init(code, Sentence(key, values))
  }

  /// Adds a line to the message.
  mutating func append(_ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]) {
    message = .lines([message, Sentence(key, values)])
  }

  /// - Parameter text: A message that is not translated.
  init(_ code: Sysexit, _ text: String) { self.init(code, .verbatim(text)) }

  init(_ error: ConfigurationError) {
    let code: Sysexit =
      switch error {
      case .missing: .noInput
      case .noPermission: .noPermission
      case .notAFile: .noInput
      case .unreadable: .inputOutput
      case .invalid, .invalidSettings: .configuration
      }
    self.init(code, error.sentence, isLocated: code == .configuration)
  }

  init(_ error: EvdevError) {
    let code: Sysexit =
      switch error {
      case .notFound, .notEvdev, .unsuitable, .lost: .noInput
      case .notPermitted: .noPermission
      case .grabbed: .unavailable
      case .system: .inputOutput
      }
    self.init(code, error.sentence)
  }

  init(_ error: IIOError) {
    let code: Sysexit =
      switch error {
      case .notFound, .removed, .unsuitable: .noInput
      case .notPermitted: .noPermission
      case .busy: .unavailable
      case .silent, .malformed, .changed, .system: .inputOutput
      }
    self.init(code, error.sentence)
  }

  init(_ error: JournalError) {
    let code: Sysexit =
      switch error {
      case .notFound: .noInput
      case .notPermitted, .readOnly: .noPermission
      case .cannotCreate: .cannotCreate
      case .corrupt, .foreign: .badData
      default: .inputOutput
      }
    self.init(code, error.sentence)
  }

  init(_ error: ApplianceError) {
    let code: Sysexit =
      switch error {
      case .broker: .unavailable
      case .password, .token: .configuration
      case .failed: .internal
      }
    self.init(code, error.sentence)
  }
}

/// Runs the body of a command and reports a failure.
func failing<T>(_ body: () async throws -> T) async throws -> T {
  do {
    return try await body()
  } catch let failure as Failure {
    let text = Texts.ofUser(failure.message)
    failure.isLocated ? printError(text.escapingLines) : printMessage(text)
    throw ExitCode(failure.code.rawValue)
  }
}

/// Prints a sentence in the language of the user to standard error, as `printMessage(_: String)` does.
func printMessage(_ sentence: Sentence) { printMessage(Texts.ofUser(sentence)) }

/// Prints a text with values in the language of the user to standard error, as `printMessage(_: String)` does.
func printMessage(_ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]) {
  printMessage(Sentence(key, values))
}

/// Prints lines to standard error, each prefixed with the name of the program, with control characters escaped.
func printMessage(_ message: String) {
  for line in message.escapingLines.split(separator: "\n", omittingEmptySubsequences: false) {
    printError("grampad: " + line)
  }
}

extension String {
  /// The text with each line escaped for a terminal.
  fileprivate var escapingLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapedForTerminal }.joined(
      separator: "\n")
  }
}

/// Prints a text and a newline to standard error, without escaping.
func printError(_ text: String) {
  _ = try? FileDescriptor.standardError.writeAll("\(text)\n".utf8)
}
