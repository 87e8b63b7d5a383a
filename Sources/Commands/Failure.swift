import ArgumentParser
import Client
import Configuration
import Languages
import Linux
import SystemPackage
import Weighing

/// The documented exit codes; numbers and meanings from sysexits.h, except 1.
package enum Sysexit: Int32 {
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
package struct Failure: Error {
  package var code: Sysexit
  package var message: Sentence
  /// Whether each line begins with file, line and column; editors recognise these only at the start of a line.
  var isLocated = false

  package init(_ code: Sysexit, _ message: Sentence, isLocated: Bool = false) {
    (self.code, self.message, self.isLocated) = (code, message, isLocated)
  }

  package init(
    _ code: Sysexit, _ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]
  ) {
    self.init(code, Sentence(key, values))
  }

  /// Adds a line to the message.
  package mutating func append(_ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]) {
    message = .lines([message, Sentence(key, values)])
  }

  /// - Parameter text: A message that is not translated.
  package init(_ code: Sysexit, _ text: String) { self.init(code, .verbatim(text)) }

  package init(_ error: ConfigurationError) {
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

  package init(_ error: ClientError) {
    let code: Sysexit =
      switch error {
      case .password, .portUnknown: .configuration
      case .noBroker, .noConnection, .lost, .refused, .noSubscriber, .noAnswer, .noRetainedMessage: .unavailable
      }
    self.init(code, error.sentence)
  }
}

/// An error that ends a command with a message and an exit code of its own.
package protocol CommandError: Error {
  var failure: Failure { get }
}

extension Failure: CommandError { package var failure: Failure { self } }
extension ConfigurationError: CommandError { package var failure: Failure { Failure(self) } }
extension ClientError: CommandError { package var failure: Failure { Failure(self) } }

/// Runs the body of a command and reports a failure.
package func failing<T>(_ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch let error as any CommandError {
    let failure = error.failure
    let text = Texts.ofUser(failure.message)
    failure.isLocated ? printError(text.escapingLines) : printMessage(text)
    throw ExitCode(failure.code.rawValue)
  }
}

/// Prints a sentence in the language of the user to standard error, as `printMessage(_: String)` does.
package func printMessage(_ sentence: Sentence) { printMessage(Texts.ofUser(sentence)) }

/// Prints a text with values in the language of the user to standard error, as `printMessage(_: String)` does.
package func printMessage(_ key: TextKey, _ values: KeyValuePairs<String, any CustomStringConvertible> = [:]) {
  printMessage(Sentence(key, values))
}

/// Prints lines to standard error, each prefixed with the name of the program, with control characters escaped.
package func printMessage(_ message: String) {
  for line in message.escapingLines.split(separator: "\n", omittingEmptySubsequences: false) {
    printError("\(Program.name): \(line)")
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
package func printError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll("\(text)\n".utf8) }
