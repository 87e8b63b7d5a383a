import Appliance
import ArgumentParser
import Configuration

/// `check`
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Validate a configuration and print it with all defaults.",
    discussion: """
      Prints the resolved configuration to standard output, and warnings and `FILE: valid` to standard error. \
      Settings made in the page are included; their file and their keys are named. If the \
      configuration is invalid, each error is printed with file, line, column and, if possible, a suggestion, and the exit code \
      is 78. Without a file, the defaults are printed.

      Examples:
        grampad check --config scale.yaml
        grampad check scale.yaml > resolved.yaml
      """)

  @OptionGroup var options: ConfigurationOptions
  @Argument(help: "The configuration file; same as --config.", completion: .configuration)
  var file: String?

  func validate() throws {
    if file != nil && options.path != nil {
      throw ValidationError("Specify the file only once, as FILE or with --config.")
    }
  }

  func run() async throws {
    try await failing {
      var options = options
      options.path = options.path ?? file
      let file = try options.file()
      let configuration = file?.current ?? Configuration()
      try checkSecrets(of: configuration, in: file?.folder ?? workingFolder())
      for warning in configuration.warnings(in: file?.folder ?? ".") { printMessage("warning: \(warning)") }
      if let warning = configuration.uncertaintyWarning { printMessage("warning: calibration: \(warning)") }
      try printAll(configuration.resolvedYAML())
      if let refusal = file?.settingsRefusal {
        printMessage("warning: \(refusal); the settings of the page are not included")
      }
      if let file, !file.settingsKeys.isEmpty {
        printMessage("\(file.settingsPath): valid; sets \(file.settingsKeys.joined(separator: ", "))")
      }
      printMessage(file.map { "\($0.path): valid" } ?? "no configuration file; these are the defaults")
    }
  }

  /// Reads the password and the token as `run` does.
  private func checkSecrets(of configuration: Configuration, in folder: String) throws {
    do throws(PasswordError) {
      _ = try configuration.mqtt.password(folder: folder)
    } catch {
      throw Failure(.configuration, error.description)
    }
    guard configuration.dashboard.isEnabled else { return }
    do throws(TokenError) {
      _ = try configuration.dashboard.token(folder: folder)
    } catch {
      throw Failure(.configuration, error.description)
    }
  }
}
