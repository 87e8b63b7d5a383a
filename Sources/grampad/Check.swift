import Appliance
import ArgumentParser

/// `check`
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Validates a configuration and prints it resolved.",
    discussion: """
      Every fault is told with file, line, column and, where there is one, a suggestion; the exit code is then 78. Without \
      a file the defaults are printed.

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
      try printAll((options.file()?.current ?? Configuration()).resolvedYAML())
    }
  }
}
