import Appliance
import ArgumentParser
import Glibc
import Logging

/// The configuration file of a command.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: [.customLong("config"), .customShort("c")],
    help: "The configuration file. Default: \(Self.standardPath) if it is there, otherwise all defaults.")
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
    var logger = Logger(label: "grampad", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = level ?? standard
    return logger
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
