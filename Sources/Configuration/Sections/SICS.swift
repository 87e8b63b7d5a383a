import Foundation
import Languages
import Weighing

extension Configuration {
  /// The lab protocol MT-SICS (`sics`), off by default.
  package struct SICS: Hashable, Sendable {
    /// The address and the port of TCP; `nil` for none.
    package var listen: Endpoint?
    /// The path of the link to a pseudo-terminal; `nil` for none.
    package var terminal: String?

    /// All defaults.
    package init() {}

    /// Whether it is on.
    package var isEnabled: Bool { listen != nil || terminal != nil }
  }

  /// An IP address and a port to listen on.
  package struct Endpoint: Hashable, Sendable {
    /// The IPv4 or IPv6 address.
    package var address: String
    /// The port; 0 for any free one.
    package var port: UInt16

    /// Makes an endpoint.
    package init(address: String, port: UInt16) {
      (self.address, self.port) = (address, port)
    }

    /// Whether other machines cannot reach it.
    package var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }

    /// The address and the port, as in the configuration.
    package var text: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }

    /// Parses an address and a port, `127.0.0.1:8386` or `[::1]:8386`.
    package init?(_ text: String) {
      guard let colon = text.lastIndex(of: ":") else { return nil }
      let digits = text[text.index(after: colon)...]
      guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
        let port = UInt16(digits)
      else { return nil }
      let host = text[..<colon]
      if host.hasPrefix("["), host.hasSuffix("]") {
        let address = String(host.dropFirst().dropLast())
        guard isAddress(address, family: .six) else { return nil }
        self.init(address: address, port: port)
      } else {
        guard isAddress(String(host), family: .four) else { return nil }
        self.init(address: String(host), port: port)
      }
    }
  }
}

extension Configuration.SICS: ConfigurationSection {
  static var keys: [Key<Self>] {
    Key(
      "listen", \.listen, ValueRule<Configuration.Endpoint>.endpoint.optional,
      example: Configuration.Endpoint(address: "127.0.0.1", port: 8386), effect: .restart,
      "IP address and TCP port to listen on; a port alone means loopback. The protocol has no password: every program that "
        + "can connect can read, tare and zero the scale.")
    Key(
      "pty", \.terminal, ValueRule<String>.file(.runtime).optional, example: "balance", effect: .restart,
      "Symbolic link to a pseudo-terminal, for programs that need a serial port. A relative path starts in the runtime folder "
        + "of the service, /run/grampad; without a service, in the folder of the configuration. The link exists while Grampad "
        + "runs. A link to a pseudo-terminal of the same user is replaced, another file is not. The group of the service may "
        + "open the terminal.")
  }
}

extension ValueRule<Configuration.Endpoint> {
  /// An IP address and a port, or a port on loopback.
  fileprivate static var endpoint: Self {
    let expected = Sentence(.acceptsEndpoint)
    return ValueRule(
      expected,
      schema: [
        "anyOf": [
          ["type": "string", "pattern": #"^([0-9.]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}$"#],
          ["type": "integer", "minimum": 0, "maximum": 65_535],
        ]
      ],
      output: { .text($0.text) }
    ) { node, reporter in
      switch node.scalar {
      case .number(let number):
        if let port = UInt16(exactly: number) { return Configuration.Endpoint(address: "127.0.0.1", port: port) }
      case .text(let text):
        if let endpoint = Configuration.Endpoint(text) { return endpoint }
        let replaced =
          text.hasPrefix(":") ? "127.0.0.1" + text : text.replacingOccurrences(of: "localhost", with: "127.0.0.1")
        if let meant = Configuration.Endpoint(replaced) {
          return reporter.reportUnexpected(node, expected: expected, suggestion: meant.text)
        }
      default: break
      }
      return reporter.reportUnexpected(node, expected: expected, suggestion: "127.0.0.1:8386")
    }
  }
}
