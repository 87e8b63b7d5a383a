/// The address of a broker: `mqtt://host:1883` or `mqtts://host:8883`.
package struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The host name or the numeric address, IPv6 without brackets.
  package var host: String
  /// The TCP port, 1...65535.
  package var port: UInt16
  /// Whether the connection uses TLS.
  package var isSecure: Bool

  /// Makes an address from its parts.
  package init(host: String, port: UInt16, isSecure: Bool = false) {
    (self.host, self.port, self.isSecure) = (host, port, isSecure)
  }

  /// The address as it is written in a configuration, always with its port.
  package var description: String {
    "\(isSecure ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
