import Appliance
import ArgumentParser
import Glibc
import Logging
import Weighing

/// The configuration file of a command.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: [.customLong("config"), .customShort("c")],
    help: "The configuration file. Default: \(Self.standardPath) if it is there, otherwise all defaults.",
    completion: .configuration)
  var path: String?

  static let standardPath = "/etc/grampad/grampad.yaml"

  /// The file that is named, or the standard one where it exists; `nil` for neither.
  func file() throws -> ConfigurationFile? {
    guard let path = path ?? (access(Self.standardPath, F_OK) == 0 ? Self.standardPath : nil) else { return nil }
    do throws(ConfigurationError) {
      return try ConfigurationFile(path: path, calibration: Configuration.Calibration.refusal)
    } catch {
      throw Failure(error)
    }
  }
}

/// How much is logged.
struct LogOptions: ParsableArguments {
  @Option(name: .customLong("log-level"), help: "trace, debug, info, notice, warning, error or critical.")
  var level: Logger.Level?

  /// A logger on standard error.
  func logger(default standard: Logger.Level) -> Logger {
    var logger = Logger(label: "grampad", factory: { SafeLogHandler(label: $0) })
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
  /// What every scale can do; quick actions are known to the appliance alone.
  static var action: CompletionKind { .list(Action.allCases.map(\.rawValue)) }
  /// Input devices by the names that stay the same.
  static var device: CompletionKind {
    .shellCommand("echo auto; ls -d /dev/input/by-id/* /dev/input/by-path/* /dev/input/event* 2>/dev/null")
  }
}
