import Appliance
import ArgumentParser
import Commands
import Configuration
import EvdevInput
import Languages
import Weighing

/// `check`
struct Check: ParsableCommand {
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

  func run() throws {
    try failing {
      var options = options
      options.path = options.path ?? file
      let file = try options.file()
      let configuration = file?.current ?? Configuration()
      try checkSecrets(of: configuration, in: file?.folder ?? workingFolder())
      try checkLayouts(of: configuration)
      let folder = file?.folder ?? "."
      for warning in configuration.warnings(in: folder) { printWarning(warning) }
      if let warning = configuration.calibrationWarning(for: nil, in: folder) {
        printWarning(warning.about("calibration"))
      }
      try printAll(configuration.resolvedYAML())
      if let refusal = file?.settingsRefusal {
        printWarning(Sentence(.checkSettingsLeftOut, ["refusal": refusal.sentence]))
      }
      if let file, !file.settingsKeys.isEmpty {
        printMessage(
          .checkSettings, ["path": file.settingsPath, "keys": file.settingsKeys.joined(separator: ", ")])
      }
      printMessage(file.map { Sentence(.checkValid, ["path": $0.path]) } ?? Sentence(.checkDefaults))
    }
  }

  private func printWarning(_ warning: Sentence) { printMessage(.warningText, ["text": warning]) }

  /// Compiles the layouts of the scanners: which there are depends on this machine, so the file alone cannot be checked.
  private func checkLayouts(of configuration: Configuration) throws {
    for scanner in configuration.scanners {
      do throws(KeyLayoutError) {
        _ = try KeyLayout(scanner.layout)
      } catch {
        throw Failure(.configuration, error.sentence.about("scanners"))
      }
    }
  }

  /// Reads the password and the token as `run` does.
  private func checkSecrets(of configuration: Configuration, in folder: String) throws {
    do throws(PasswordError) {
      _ = try configuration.mqtt.password(folder: folder)
    } catch {
      throw Failure(.configuration, error.sentence)
    }
    guard configuration.dashboard.isEnabled else { return }
    do throws(TokenError) {
      _ = try configuration.dashboard.token(folder: folder)
    } catch {
      throw Failure(.configuration, error.sentence)
    }
  }
}
