import Glibc

/// The host of a request, without its port.
///
/// A page on another site can point its own host name to this machine (DNS rebinding), which puts its scripts in the
/// same origin. The header `Host` then holds that name; an address in `Host` cannot be rebound.
struct HostName: Hashable, Sendable {
  /// In lower case; an IPv6 address without brackets.
  let text: String
  /// Whether it is an IPv4 or IPv6 address.
  let isAddress: Bool

  /// Parses the value of a `Host` header; `nil` if it is not valid.
  init?(header: String) {
    var name = header[...]
    let isBracketed = name.first == "["
    if isBracketed {
      guard let end = name.firstIndex(of: "]") else { return nil }
      let rest = name[name.index(after: end)...]
      guard rest.isEmpty || Self.isPort(rest) else { return nil }
      name = name[name.index(after: name.startIndex)..<end]
    } else if let colon = name.firstIndex(of: ":") {
      guard Self.isPort(name[colon...]) else { return nil }
      name = name[..<colon]
    }
    if name.hasSuffix("."), !isBracketed { name.removeLast() }
    guard (1...253).contains(name.utf8.count) else { return nil }
    text = name.lowercased()
    var storage = in6_addr()
    isAddress = inet_pton(isBracketed ? AF_INET6 : AF_INET, text, &storage) == 1
    guard isAddress || !isBracketed else { return nil }
  }

  /// Whether it is a name of multicast DNS, such as `grampad.local`. It is resolved on the link only and never by the DNS (RFC 6762, 3),
  /// so a site on the Internet cannot point it to this machine.
  var isLinkLocal: Bool { text.hasSuffix(".local") && text.utf8.count > ".local".utf8.count }

  private static func isPort(_ text: Substring) -> Bool {
    text.first == ":" && UInt16(text.dropFirst()) != nil && text.dropFirst().allSatisfy(\.isASCII)
  }

  /// The names of this machine: `localhost` and its host name.
  static var own: Set<String> { machine.map { ["localhost", $0] } ?? ["localhost"] }

  /// The name under which other machines reach a machine: one without a dot gets `.local`, because few networks resolve it bare.
  static func published(_ machine: String?) -> String {
    guard let machine, machine != "localhost" else { return "localhost" }
    return machine.contains(".") ? machine : machine + ".local"
  }

  /// The host name of this machine in lower case; `nil` without one.
  static var machine: String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self).lowercased()
  }
}
