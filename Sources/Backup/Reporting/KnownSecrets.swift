import Configuration
import Foundation
import Linux

/// The secrets of a configuration as far as they can be read; used only to remove them from the report.
struct KnownSecrets {
  /// Passwords, tokens and lines of keys.
  private(set) var values: [String] = []
  /// The files that cannot be read, whose secrets are therefore unknown.
  private(set) var unread: [String] = []

  /// Collects the secrets.
  ///
  /// - Parameters:
  ///   - folder: The folder of the configuration file.
  ///   - service: The environment of the service according to systemd.
  init(_ configuration: Configuration?, folder: String, service: ServiceEnvironment) {
    let variables = [Configuration.MQTT.passwordVariable, Configuration.Dashboard.tokenVariable]
    values += variables.compactMap { ProcessInfo.processInfo.environment[$0] } + service.values(of: variables)
    for file in service.files {
      collect(from: file) { text in variables.flatMap { ServiceEnvironment.values(of: $0, in: text) } }
    }
    guard let configuration else { return }
    for file in configuration.secretFiles {
      collect(from: absolutePath(file, in: folder)) { text in
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        // Of a PEM key only the long lines; the lines around them are the same in every key.
        return text.contains("-----BEGIN") ? lines.filter { $0.count >= 16 && !$0.hasPrefix("-----") } : lines
      }
    }
  }

  private mutating func collect(from path: String, _ secrets: (String) -> [String]) {
    do throws(FileError) {
      let bytes = try fileBytes(path, limit: 1 << 17)
      values += secrets(String(decoding: bytes, as: UTF8.self)).filter { !$0.isEmpty }
    } catch {
      if error != .missing { unread.append(path) }
    }
  }
}

/// The sources of the environment of the service (`Environment=` and `EnvironmentFile=`, systemd.exec(5)).
struct ServiceEnvironment {
  private var assignments = ""
  private(set) var files: [String] = []

  /// Makes an empty environment.
  init() {}

  /// Parses the output of `systemctl show --property=Environment,EnvironmentFiles`.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      if line.hasPrefix("Environment=") { assignments += line.dropFirst("Environment=".count) + "\n" }
      if line.hasPrefix("EnvironmentFiles=") {
        // PATH (ignore_errors=no)
        let path = line.dropFirst("EnvironmentFiles=".count)
        files.append(String(path.range(of: " (ignore_errors").map { path[..<$0.lowerBound] } ?? path))
      }
    }
  }

  func values(of names: [String]) -> [String] { names.flatMap { Self.values(of: $0, in: assignments) } }

  /// The values of a variable in a list of assignments, for each possible interpretation of quotes.
  static func values(of name: String, in text: String) -> [String] {
    text.ranges(of: name + "=").flatMap { range in
      let line = text[range.upperBound...].prefix { !$0.isNewline }
      let word = line.prefix { $0 != " " }
      let inQuotes = line.drop { $0 == "\"" || $0 == "'" }.prefix { $0 != "\"" && $0 != "'" }
      return [String(line), String(word), String(inQuotes)].filter { !$0.isEmpty }
    }
  }
}
