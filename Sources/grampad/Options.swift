import Appliance
import ArgumentParser
import Client
import Configuration
import EventLoop
import Glibc
import Logging
import Weighing

/// The configuration file of a command.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: [.customLong("config"), .customShort("c")],
    help:
      "The configuration file. Default: $\(Self.variable), else \(Self.standardPath) if it exists, else built-in defaults.",
    completion: .configuration)
  var path: String?

  static let standardPath = "/etc/grampad/grampad.yaml"
  /// The environment variable that names the configuration file if the option is not given.
  static let variable = "GRAMPAD_CONFIG"

  /// The path from the option or the environment, else the standard path if the file exists, else `nil`.
  static func resolved(_ path: String?) -> String? {
    if let path { return path }
    if let named = getenv(variable).map({ String(cString: $0) }), !named.isEmpty { return named }
    return FileSystem.exists(standardPath) ? standardPath : nil
  }

  /// The file from the option or the environment, else the standard file if it exists, else `nil`.
  func file() throws -> ConfigurationFile? {
    guard let path = Self.resolved(path) else { return nil }
    do throws(ConfigurationError) {
      return try ConfigurationFile(path: path, tls: Configuration.UnusableTLSFile.find)
    } catch {
      throw Failure(error)
    }
  }
}

/// The log level option.
struct LogOptions: ParsableArguments {
  @Option(
    name: .customLong("log-level"), help: "Minimum log level: trace, debug, info, notice, warning, error or critical.")
  var level: Logger.Level?

  /// A logger on standard error.
  ///
  /// - Parameter output: Calls its argument to write a line; for a command that draws on the same terminal.
  func logger(
    default standard: Logger.Level, output: @escaping @Sendable (() -> Void) -> Void = { $0() }
  ) -> Logger {
    var logger = Logger(label: "grampad", factory: { SafeLogHandler(label: $0, output: output) })
    logger.logLevel = level ?? standard
    return logger
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

extension CompletionKind {
  /// Configuration files.
  static var configuration: CompletionKind { .file(extensions: ["yaml", "yml"]) }
  /// Recordings.
  static var recording: CompletionKind { .file(extensions: ["evemu", "txt"]) }
  /// SQLite files.
  static var journal: CompletionKind { .file(extensions: ["db", "sqlite"]) }
  /// The built-in actions; only the appliance knows the quick actions.
  static var action: CompletionKind { .list(Action.allCases.map(\.rawValue)) }
  /// Input devices by their stable names.
  static var device: CompletionKind {
    .shellCommand("echo auto; ls -d /dev/input/by-id/* /dev/input/by-path/* /dev/input/event* 2>/dev/null")
  }
}
