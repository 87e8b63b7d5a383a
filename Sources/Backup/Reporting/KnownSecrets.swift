import Configuration
import EventLoop
import Foundation

/// The secrets of a configuration, as far as they can be read here; kept only to look for them.
struct KnownSecrets {
  /// Passwords, tokens, lines of keys.
  private(set) var values: [String] = []
  /// The files that cannot be read, so that what they hold cannot be looked for.
  private(set) var unread: [String] = []

  /// Collects them.
  ///
  /// - Parameters:
  ///   - folder: That of the configuration.
  ///   - service: What systemd says of the service's environment.
  init(_ configuration: Configuration?, folder: String, service: ServiceEnvironment) {
    let variables = [Configuration.MQTT.passwordVariable, Configuration.Dashboard.tokenVariable]
    values += variables.compactMap { ProcessInfo.processInfo.environment[$0] } + service.values(of: variables)
    for file in service.files {
      take(file) { text in variables.flatMap { ServiceEnvironment.values(of: $0, in: text) } }
    }
    guard let configuration else { return }
    let mqtt = configuration.mqtt
    let firstLines = [mqtt.passwordFile, configuration.dashboard.tokenFile].compactMap { $0 }
    for file in firstLines {
      take(absolutePath(file, in: folder)) { text in text.split(whereSeparator: \.isNewline).map(String.init) }
    }
    // The long lines of a key in PEM; its frame is in every key.
    if let key = mqtt.keyFile {
      take(absolutePath(key, in: folder)) { text in
        text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.count >= 16 && !$0.hasPrefix("-----") }
      }
    }
  }

  private mutating func take(_ path: String, _ secrets: (String) -> [String]) {
    do throws(FileError) {
      let bytes = try fileBytes(path, limit: 1 << 17)
      values += secrets(String(decoding: bytes, as: UTF8.self)).filter { !$0.isEmpty }
    } catch {
      if error != .missing { unread.append(path) }
    }
  }
}

/// Where systemd gets the environment of the service from (`Environment=` and `EnvironmentFile=`, systemd.exec(5)).
struct ServiceEnvironment {
  private var assignments = ""
  private(set) var files: [String] = []

  /// None.
  init() {}

  /// Reads what `systemctl show --property=Environment,EnvironmentFiles` says.
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

  /// What a variable is set to in a list of assignments, in each way in which the quotes could be meant.
  static func values(of name: String, in text: String) -> [String] {
    text.ranges(of: name + "=").flatMap { range in
      let line = text[range.upperBound...].prefix { !$0.isNewline }
      let word = line.prefix { $0 != " " }
      let inQuotes = line.drop { $0 == "\"" || $0 == "'" }.prefix { $0 != "\"" && $0 != "'" }
      return [String(line), String(word), String(inQuotes)].filter { !$0.isEmpty }
    }
  }
}
