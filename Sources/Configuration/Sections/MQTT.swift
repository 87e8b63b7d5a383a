import Messages

extension Configuration {
  /// The brokers (`mqtt`).
  package struct MQTT: Hashable, Sendable {
    /// The brokers to connect to.
    package var broker = Brokers.embedded
    /// The first levels of every topic: no wildcard, no empty level, no leading `$`, 1...256 bytes.
    package var prefix = "grampad"
    /// The user name for external brokers.
    package var username: String?
    /// The file with the password on its first line; GRAMPAD_MQTT_PASSWORD takes precedence.
    package var passwordFile: String?
    /// The CA certificates for the broker, PEM; default: those of the system.
    package var caFile: String?
    /// The client certificate, PEM; requires `keyFile`.
    package var certificateFile: String?
    /// The key of the client certificate, PEM.
    package var keyFile: String?
    /// The protocol version to try first.
    package var version = Version.five
    /// The loopback port of the embedded broker, 1...65535, or 0 for any free port.
    package var embeddedPort = 1883

    /// All defaults.
    package init() {}
  }
}

extension Configuration.MQTT {
  /// The brokers to connect to (`mqtt.broker`).
  package enum Brokers: Hashable, Sendable {
    /// The embedded broker on loopback.
    case embedded
    /// 1 to 16 external brokers in order of preference.
    case external([BrokerAddress])
  }

  /// The protocol version (`mqtt.version`).
  package enum Version: String, Hashable, Sendable, CaseIterable {
    /// MQTT 5, with fallback to 3.1.1 for brokers without MQTT 5.
    case five = "5"
    /// MQTT 3.1.1 only.
    case threeOneOne = "3.1.1"
  }

  /// The keys for files, and the properties that hold their values.
  package static let files: [(key: String, path: any WritableKeyPath<Self, String?> & Sendable)] = [
    ("password_file", \.passwordFile), ("ca_file", \.caFile), ("certificate_file", \.certificateFile),
    ("key_file", \.keyFile),
  ]
}

extension Configuration.MQTT: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("broker", .brokers, into: &broker)
    section.read("prefix", .topicPrefix, into: &prefix)
    section.read("username", .text(maximumBytes: 65_535), into: &username)
    for (key, path) in Self.files { section.read(key, .readableFile, into: &self[keyPath: path]) }
    section.read("version", .protocolVersion, into: &version)
    section.read("embedded_port", .integer(0...65_535), into: &embeddedPort)
    checkCredentials(&section)
    checkTLSFiles(&section)
  }

  /// Rejects unusable files when the configuration is read instead of at the next connection.
  private func checkTLSFiles(_ section: inout SectionReader) {
    guard let unusable = section.reporter.checks.tls(self) else { return }
    section.report(unusable.key, unusable.reason)
  }

  /// Rejects half a certificate, a password without a user name, and TLS files that no broker would use.
  private func checkCredentials(_ section: inout SectionReader) {
    if section.isGiven("certificate_file") != section.isGiven("key_file") {
      let (given, missing) =
        section.isGiven("key_file") ? ("key_file", "certificate_file") : ("certificate_file", "key_file")
      section.report(given, "requires \(missing)")
    }
    if section.isGiven("password_file"), !section.isGiven("username") {
      section.report("password_file", "requires username")
    }
    let isEncrypted: Bool
    switch broker {
    case .embedded: isEncrypted = false
    case .external(let addresses): isEncrypted = addresses.contains(where: \.isSecure)
    }
    guard !isEncrypted, section.isValid("broker") else { return }
    for key in ["ca_file", "certificate_file", "key_file"] where section.isGiven(key) {
      section.report(key, "has no effect because no broker uses TLS (mqtts://)")
    }
  }

  var entries: [YAMLEntry] {
    let brokers: YAMLOutput
    switch broker {
    case .embedded: brokers = .text("embedded")
    case .external(let addresses): brokers = .list(addresses.map { .text($0.description) })
    }
    var entries: [YAMLEntry] = [("broker", brokers), ("prefix", .text(prefix))]
    if let username { entries.append(("username", .text(username))) }
    for (key, path) in Self.files {
      if let file = self[keyPath: path] { entries.append((key, .text(file))) }
    }
    entries.append(("version", version == .five ? .integer(5) : .text(version.rawValue)))
    entries.append(("embedded_port", .integer(embeddedPort)))
    return entries
  }
}

extension ValueRule<Configuration.MQTT.Brokers> {
  /// `embedded`, a URL or a list of 1...16 different URLs.
  static var brokers: Self {
    ValueRule { node, reporter in
      if case .text("embedded") = node.scalar { return .embedded }
      guard case .sequence(let items) = node.content else {
        return ValueRule<BrokerAddress>.broker.read(node, reporter).map { .external([$0]) }
      }
      guard !items.isEmpty else {
        return reporter.report("the list of brokers is empty", at: node.position, suggestion: "embedded")
      }
      var seen: Set<BrokerAddress> = []
      return ValueRule<[BrokerAddress]>.list(atMost: 16) { node, reporter in
        guard let address = ValueRule<BrokerAddress>.broker.read(node, reporter) else { return nil }
        guard seen.insert(address).inserted else {
          return reporter.report("\(address) is already in the list", at: node.position)
        }
        return address
      }.read(node, reporter).map { .external($0) }
    }
  }
}

extension ValueRule<BrokerAddress> {
  fileprivate static var broker: Self {
    ValueRule { node, reporter in
      let expected = "embedded, a URL mqtt://host:port or mqtts://host:port, or a list of URLs"
      guard case .text(let text) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      do throws(BrokerAddressError) {
        return try BrokerAddress(url: text)
      } catch {
        let meant = closest(to: text, in: ["embedded"])
        return reporter.report(error.message, at: node.position, suggestion: meant ?? error.suggestion)
      }
    }
  }
}

extension ValueRule<Configuration.MQTT.Version> {
  /// 5 or 3.1.1, as a number or in quotes.
  static var protocolVersion: Self {
    ValueRule { node, reporter in
      if case .scalar(let text, _) = node.content {
        if let version = Configuration.MQTT.Version(rawValue: text) { return version }
        // 3.1.1 is protocol level 4, and 3.11 is a common typing error.
        if ["4", "3", "3.1", "3.11", "311"].contains(text) {
          return reporter.reportUnexpected(node, expected: "5 or 3.1.1", suggestion: "3.1.1")
        }
      }
      return reporter.reportUnexpected(node, expected: "5 or 3.1.1", suggestion: node.scalar == .number(5) ? "5" : nil)
    }
  }
}
