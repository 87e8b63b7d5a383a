extension Configuration {
  /// The web page (`dashboard`).
  package struct Dashboard: Hashable, Sendable {
    /// Whether it is served.
    package var isEnabled = true
    /// The IPv4 or IPv6 address it listens on.
    package var address = "127.0.0.1"
    /// Its port; 0 for any free one.
    package var port = 8385
    /// Names that lead to the page beside the machine's own: those of a reverse proxy, say; at most 16.
    package var hosts: [String] = []
    /// The file whose first line lets people act from other machines; GRAMPAD_DASHBOARD_TOKEN in the environment wins over it.
    package var tokenFile: String?

    /// All defaults.
    package init() {}
  }

  /// The metrics beside the web page (`metrics`).
  package struct Metrics: Hashable, Sendable {
    /// Whether they are served.
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
    // Only where there are some: what a file means has the same fingerprint as before there was this key.
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
  /// At most 16 names of hosts, without scheme and port (RFC 1123, 2.1).
  fileprivate static var hostNames: Self {
    .list(atMost: 16) { node, faults in
      guard case .text(let name) = node.scalar else { return faults.refuse(node, expected: "a host name") }
      let labels = name.split(separator: ".", omittingEmptySubsequences: false)
      let isName =
        name.utf8.count <= 253
        && labels.allSatisfy { label in
          (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(\.isHostCharacter) && label.first != "-"
            && label.last != "-"
        }
      guard isName else {
        return faults.report("expected a host name without scheme and port, such as scale.example.org", at: node.position)
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
