import ArgumentParser
import Client
import Configuration
import Glibc
import Linux
import Logging

/// The configuration file of a command.
package struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: [.customLong("config"), .customShort("c")],
    help:
      "The configuration file. Default: $\(Self.variable), else \(Self.standardPath) if it exists, else built-in defaults.",
    completion: .configuration)
  package var path: String?

  package init() {}

  package static let standardPath = "/etc/grampad/grampad.yaml"
  /// The environment variable that names the configuration file if the option is not given.
  package static let variable = "GRAMPAD_CONFIG"

  /// The path from the option or the environment, else the standard path if the file exists, else `nil`.
  package static func resolved(_ path: String?) -> String? {
    if let path { return path }
    if let named = getenv(variable).map({ String(cString: $0) }), !named.isEmpty { return named }
    return FileSystem.exists(standardPath) ? standardPath : nil
  }

  /// The file from the option or the environment, else the standard file if it exists, else `nil`.
  package func file() throws -> ConfigurationFile? {
    guard let path = Self.resolved(path) else { return nil }
    return try ConfigurationFile(path: path, tls: Configuration.UnusableTLSFile.find)
  }
}

/// The log level option.
package struct LogOptions: ParsableArguments {
  @Option(
    name: .customLong("log-level"), help: "Minimum log level: trace, debug, info, notice, warning, error or critical.")
  package var level: Logger.Level?

  package init() {}

  /// A logger on standard error.
  ///
  /// - Parameter output: Calls its argument to write a line; for a command that draws on the same terminal.
  package func logger(
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
  package static var configuration: CompletionKind { .file(extensions: ["yaml", "yml"]) }
}
