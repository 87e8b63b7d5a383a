import Glibc

/// The IP address of a client, and the network that its connections are counted under.
struct ClientAddress: Hashable, Sendable {
  /// As logged, without the port.
  let text: String
  /// The unit that limits apply to: an IPv4 address, or the first 64 bits of an IPv6 address, because a host in an IPv6
  /// network can usually use all the others (RFC 4291, 2.5.1).
  let network: [UInt8]
  /// Whether the client is on this machine; it may then be a reverse proxy for many clients.
  let isLoopback: Bool

  /// Parses an address in text form; `nil` if it is not valid. inet_pton(3)
  init?(_ text: String) {
    // A listener on :: sees IPv4 clients in this form (RFC 4291, 2.5.5.2).
    let name = text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, name, &four) == 1 {
      network = withUnsafeBytes(of: &four) { Array($0) }
      isLoopback = network.first == 127
    } else if inet_pton(AF_INET6, name, &six) == 1 {
      let bytes = withUnsafeBytes(of: &six) { Array($0) }
      network = Array(bytes.prefix(8))
      isLoopback = bytes == [UInt8](repeating: 0, count: 15) + [1]
    } else {
      return nil
    }
    self.text = name
  }
}
