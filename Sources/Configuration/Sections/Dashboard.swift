extension Configuration {
  /// The web page (`dashboard`).
  package struct Dashboard: Hashable, Sendable {
    /// Whether it is enabled.
    package var isEnabled = true
    /// The IPv4 or IPv6 address it listens on.
    package var address = "127.0.0.1"
    /// Its port; 0 for any free port.
    package var port = 8385
    /// Additional host names of the page, for example of a reverse proxy; at most 16.
    package var hosts: [String] = []
    /// The file with the token for actions from other machines, on its first line; GRAMPAD_DASHBOARD_TOKEN takes precedence.
    package var tokenFile: String?

    /// All defaults.
    package init() {}
  }

  /// The metrics of the dashboard's server (`metrics`).
  package struct Metrics: Hashable, Sendable {
    /// Whether they are enabled.
    package var isEnabled = true

    /// All defaults.
    package init() {}
  }
}

extension Configuration.Dashboard {
  /// The environment variable that holds the token; an alternative to `tokenFile`.
  package static let tokenVariable = "GRAMPAD_DASHBOARD_TOKEN"
}

extension Configuration.Dashboard: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("enabled", .flag, into: &isEnabled)
    section.read("address", .address, into: &address)
    section.read("port", .integer(0...65_535), into: &port)
    section.read("hosts", .hostNames, into: &hosts)
    section.read("token_file", .readableFile, into: &tokenFile)
  }

  var entries: [YAMLEntry] {
    var entries: [YAMLEntry] = [
      ("enabled", .flag(isEnabled)), ("address", .text(address)), ("port", .integer(port)),
    ]
    // Only if there are any: a file without this key keeps the fingerprint that it had before the key was introduced.
    if !hosts.isEmpty { entries.append(("hosts", .list(hosts.map { .text($0) }))) }
    if let tokenFile { entries.append(("token_file", .text(tokenFile))) }
    return entries
  }
}

extension Configuration.Metrics: ConfigurationSection {
  init(from section: inout SectionReader) {
    section.read("enabled", .flag, into: &isEnabled)
  }

  var entries: [YAMLEntry] { [("enabled", .flag(isEnabled))] }
}

extension ValueRule<[String]> {
  /// At most 16 host names, without scheme and port (RFC 1123, 2.1).
  fileprivate static var hostNames: Self {
    .list(atMost: 16) { node, reporter in
      guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: "a host name") }
      let labels = name.split(separator: ".", omittingEmptySubsequences: false)
      let isName =
        name.utf8.count <= 253
        && labels.allSatisfy { label in
          (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(\.isHostCharacter) && label.first != "-"
            && label.last != "-"
        }
      guard isName else {
        return reporter.report(
          "expected a host name without scheme and port, such as scale.example.org", at: node.position)
      }
      return name
    }
  }
}

extension UInt8 {
  fileprivate var isHostCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
