import Languages
import Messages
import Weighing

extension Configuration {
  /// The brokers (`mqtt`).
  package struct MQTT: Hashable, Sendable {
    /// The brokers to connect to.
    package var broker = Brokers.embedded
    /// The first levels of every topic.
    package var prefix = Topics.standardPrefix
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
    /// Whether the appliance renews the certificate with `grampad enroll --serve`.
    package var renewsCertificate = false
    /// The protocol version to try first.
    package var version = Version.five
    /// The loopback port of the embedded broker; 0 for any free port.
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
}

extension Configuration.MQTT: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "broker", \.broker, .brokers, example: .external([BrokerAddress(host: "broker.example.org", isEncrypted: true)]),
      effect: .restartFor("Switching between embedded and an external broker requires a restart.") {
        ($0 == .embedded) != ($1 == .embedded)
      }, settings: .page(.pageBroker, in: .broker),
      "embedded (a broker started by the appliance, on loopback only), a URL mqtt://host:port or mqtts://host:port (TLS), "
        + "or a list of URLs that are tried in turn. The default ports are 1883 and 8883.")
    Key(
      "prefix", \.prefix, .topicPrefix, effect: .restart, "Topic prefix: the first levels of every topic.")
    Key(
      "username", \.username, .text(maximumBytes: 65_535), example: "scale",
      "User name, if the broker requires authentication.")
    Key(
      "password_file", \.passwordFile, .file(.secret), example: "password.txt", requires: "username",
      "A file with the password in its first line. The environment variable GRAMPAD_MQTT_PASSWORD overrides the file.")
    Key(
      "ca_file", \.caFile, .file(.required), example: "ca.pem",
      "For mqtts://: the CA certificates to trust instead of those of the system, in PEM format. Set it if the broker's "
        + "certificate is issued by your own CA.")
    Key(
      "certificate_file", \.certificateFile, .file(.required), example: "grampad.pem", requires: "key_file",
      "For mqtts://: the client certificate in PEM format, if the broker requires one.")
    Key(
      "key_file", \.keyFile, .file(.secret), example: "grampad.pem", requires: "certificate_file",
      "For mqtts://: the private key of the client certificate in PEM format, without a passphrase. Can be the same file."
    )
    Key(
      "renew_certificate", \.renewsCertificate, .flag, example: true,
      "Renew the client certificate before it expires, as written by `grampad enroll`: certificate_file and key_file name one "
        + "file with both.")
    Key(
      "version", \.version, .protocolVersion,
      "Protocol version: 5 (falls back to 3.1.1 if the broker does not support it) or 3.1.1. Use 3.1.1 for brokers that do "
        + "not handle the fallback correctly.")
    Key(
      "embedded_port", \.embeddedPort, .integer(0...65_535), effect: .restart,
      "Port of the embedded broker on loopback; 0 for any free port. Change it if port 1883 is in use.")
  }

  func check(_ section: inout SectionReader) {
    checkEncryption(&section)
    if renewsCertificate, certificateFile == nil || certificateFile != keyFile {
      section.report("renew_certificate", .enrollOneFile)
    }
    // Rejects unusable files when the configuration is read instead of at the next connection.
    if let unusable = section.reporter.checks.tls(self) { section.report(unusable.key, unusable.reason) }
  }

  /// Rejects TLS files that no broker would use.
  private func checkEncryption(_ section: inout SectionReader) {
    let isEncrypted: Bool
    switch broker {
    case .embedded: isEncrypted = false
    case .external(let addresses): isEncrypted = addresses.contains(where: \.isSecure)
    }
    guard !isEncrypted, section.isValid("broker") else { return }
    for key in ["ca_file", "certificate_file", "key_file"] where section.isGiven(key) {
      section.report(key, .configTLSUnused)
    }
  }

  /// The section with the absolute paths of its files.
  func resolvingPaths(in folder: String) -> Self { Self.keys.reduce(into: self) { $1.resolvePath(&$0, folder) } }
}

extension ValueRule<Configuration.MQTT.Brokers> {
  /// `embedded`, a URL or a list of 1...16 different URLs.
  static var brokers: Self {
    let url = ValueRule<BrokerAddress>.broker
    return ValueRule(
      "embedded, a URL, or a list of up to 16 URLs",
      schema: [
        "anyOf": [
          ["const": "embedded"], url.schema(),
          ["type": "array", "minItems": 1, "maxItems": 16, "uniqueItems": true, "items": url.schema()],
        ]
      ],
      output: { broker in
        switch broker {
        case .embedded: "embedded"
        case .external(let addresses): .list(addresses.compactMap(url.output))
        }
      }
    ) { node, reporter in
      if case .text("embedded") = node.scalar { return .embedded }
      guard case .sequence(let items) = node.content else { return url.read(node, reporter).map { .external([$0]) } }
      guard !items.isEmpty else { return reporter.report(.configNoBrokers, at: node.position, suggestion: "embedded") }
      var seen: Set<BrokerAddress> = []
      let addresses: [BrokerAddress]? = reporter.items(of: node, atMost: 16) { node, reporter in
        guard let address = url.read(node, reporter) else { return nil }
        guard seen.insert(address).inserted else {
          return reporter.report(.configBrokerTaken, ["broker": address], at: node.position)
        }
        return address
      }
      return addresses.map { .external($0) }
    }
  }
}

extension ValueRule<BrokerAddress> {
  fileprivate static var broker: Self {
    let pattern = #"^[mM][qQ][tT][tT][sS]?://(\[[0-9a-fA-F:.]+(%[^\]/?#@]+)?\]|[A-Za-z0-9_.-]+)(:[0-9]{1,5})?$"#
    return ValueRule(
      "a URL mqtt://host:port or mqtts://host:port", schema: ["type": "string", "pattern": .text(pattern)],
      output: { .text($0.description) }
    ) { node, reporter in
      let expected = Sentence(.acceptsBrokers)
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
    let expected = Sentence.oneOf(["5", "3.1.1"])
    return ValueRule(
      expected, schema: ["enum": [5, "5", "3.1.1"]], output: { $0 == .five ? 5 : .text($0.rawValue) }
    ) { node, reporter in
      if case .scalar(let text, _) = node.content {
        if let version = Configuration.MQTT.Version(rawValue: text) { return version }
        // 3.1.1 is protocol level 4, and 3.11 is a common typing error.
        if ["4", "3", "3.1", "3.11", "311"].contains(text) {
          return reporter.reportUnexpected(node, expected: expected, suggestion: "3.1.1")
        }
      }
      return reporter.reportUnexpected(
        node, expected: expected, suggestion: node.scalar == .number(5) ? "5" : nil)
    }
  }
}
