import Glibc

/// An address family that a host has addresses of.
enum AddressFamily: Hashable {
  case ipv4, ipv6

  /// The wildcard address to bind to, so that libmosquitto uses only this family.
  var wildcard: String {
    switch self {
    case .ipv4: "0.0.0.0"
    case .ipv6: "::"
    }
  }

  /// The families of a host's addresses in the resolver's order; performs a DNS lookup and may block. `getaddrinfo(3)`
  ///
  /// In non-blocking mode, libmosquitto tries only the first address. A host with addresses of both families, of which
  /// one does not work (`localhost` with a broker only on 127.0.0.1), is therefore tried once per family.
  static func families(of host: String) throws(LinkError) -> [AddressFamily] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    if code != 0 { throw .unknownHost(String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(list) }
    var families: [AddressFamily] = []
    var entry = list
    while let address = entry?.pointee {
      let family: AddressFamily? =
        address.ai_family == AF_INET ? .ipv4 : address.ai_family == AF_INET6 ? .ipv6 : nil
      if let family, !families.contains(family) { families.append(family) }
      entry = address.ai_next
    }
    if families.isEmpty { throw .unknownHost("no IP address") }
    return families
  }
}
