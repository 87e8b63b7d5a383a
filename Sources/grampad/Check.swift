import Appliance
import ArgumentParser
import Configuration

/// `check`
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Validates a configuration and prints it resolved.",
    discussion: """
      Prints the configuration with all defaults on standard output, and warnings and `FILE: valid` on standard error. A \
      configuration with faults exits with 78 and names each fault with file, line, column and, where there is one, a \
      suggestion. Without a file the defaults are printed.

      Examples:
        grampad check --config scale.yaml
        grampad check scale.yaml > resolved.yaml
      """)

  @OptionGroup var options: ConfigurationOptions
  @Argument(help: "The configuration file, the same as --config.", completion: .configuration)
  var file: String?

  func validate() throws {
    if file != nil && options.path != nil { throw ValidationError("Give the file once: as FILE or as --config FILE.") }
  }

  func run() async throws {
    try await failing {
      var options = options
      options.path = options.path ?? file
      let file = try options.file()
      let configuration = file?.current ?? Configuration()
      try checkSecrets(of: configuration, in: file?.folder ?? workingFolder())
      for warning in configuration.warnings(in: file?.folder ?? ".") { complain("warning: \(warning)") }
      if let warning = configuration.uncertaintyWarning { complain("warning: calibration: \(warning)") }
      try printAll(configuration.resolvedYAML())
      complain(file.map { "\($0.path): valid" } ?? "no configuration file: these are the defaults")
    }
  }

  /// Reads the password and the token as `run` does.
  private func checkSecrets(of configuration: Configuration, in folder: String) throws {
    do throws(PasswordFault) {
      _ = try configuration.mqtt.password(folder: folder)
    } catch {
      throw Failure(.configuration, error.description)
    }
    guard configuration.dashboard.isEnabled else { return }
    do throws(TokenFault) {
      _ = try configuration.dashboard.token(folder: folder)
    } catch {
      throw Failure(.configuration, error.description)
    }
  }
}
