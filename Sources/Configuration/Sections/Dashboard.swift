import Languages
import Weighing

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
    /// The URL of the page for users on other machines, if it is not that of the address and the port.
    package var url: String?
    /// The file with the token for actions from other machines, on its first line; GRAMPAD_DASHBOARD_TOKEN takes precedence.
    package var tokenFile: String?

    /// Whether clients can ask for the right to act, which a press grants.
    package var allowsPairing = true

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
  static var keys: [Key<Self>] {
    Key("enabled", \.isEnabled, .flag, effect: .restart, "Serve the web page.")
    Key(
      "address", \.address, .address, effect: .restart,
      "IP address to listen on. With 0.0.0.0 or \"::\" every host on the network can read the page, and perform actions "
        + "with the token or once it is paired.")
    Key(
      "port", \.port, .integer(0...65_535), effect: .restart,
      "Port; 0 for any free port. Change it if port 8385 is in use.")
    Key(
      "hosts", \.hosts, .list(atMost: 16, of: "host names without scheme and port", .hostName),
      example: ["scale.example.org"],
      "Additional host names for the page. IP addresses, localhost and the host name of this machine are always accepted. "
        + "Set it if a reverse proxy serves the page under another name. Actions on these names always require the token."
    )
    Key(
      "url", \.url, ValueRule<String>.webURL.optional, example: "https://scale.example.org", effect: .restart,
      "URL of the page for users on other machines, for example that of a reverse proxy: the link in Home Assistant. "
        + "Without it, the link has address and port, with the host name of this machine if address is 0.0.0.0 or \"::\". "
        + "There is no link if the page is on loopback only.")
    Key(
      "token_file", \.tokenFile, .file(.secret), example: "dashboard.token",
      "A file with the token for actions in its first line, at least 16 characters. The environment variable "
        + "GRAMPAD_DASHBOARD_TOKEN overrides the file. Without a token, actions are accepted from this machine only, from "
        + "all of its users, and from paired clients.")
    Key(
      "pairing", \.allowsPairing, .flag,
      "Let clients ask for the right to perform actions; a press of the scale grants it. If this is off, clients that were "
        + "paired have no such right either.")
  }
}

extension Configuration.Metrics: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key("enabled", \.isEnabled, .flag, "Serve metrics on the same port as the dashboard.")
  }
}

extension ValueRule<String> {
  /// A host name, without scheme and port (RFC 1123, 2.1).
  fileprivate static var hostName: Self {
    ValueRule(
      "a host name",
      schema: [
        "type": "string", "maxLength": 253,
        "pattern": #"^(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*$"#,
      ],
      output: { .text($0) }
    ) { node, reporter in
      guard case .text(let name) = node.scalar else {
        return reporter.reportUnexpected(node, expected: Sentence(.acceptsHostName))
      }
      let labels = name.split(separator: ".", omittingEmptySubsequences: false)
      let isName =
        name.utf8.count <= 253
        && labels.allSatisfy { label in
          (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(\.isHostCharacter) && label.first != "-"
            && label.last != "-"
        }
      guard isName else { return reporter.report(.configHostName, at: node.position) }
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
