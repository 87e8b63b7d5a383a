/// Which device the configuration asks for (`pad.device`, `buttons[].device`).
package enum PadSelector: Hashable, Sendable, CustomStringConvertible {
  /// The best that can weigh; for a button, every device that has its key.
  case automatic
  /// The device behind that path, a link such as those in /dev/input/by-id included.
  case path(String)
  /// The best of those that agree with everything that is not `nil`; the name exactly.
  case match(name: String?, vendor: UInt16?, product: UInt16?)

  /// What is looked for, in words that fit after "there is no".
  package var description: String {
    switch self {
    case .automatic: return "pad"
    case .path(let path): return path
    case .match(let name, let vendor, let product):
      var parts: [String] = []
      if let name { parts.append("named \"\(name)\"") }
      if let vendor { parts.append("of vendor 0x" + HexadecimalText.fixed(vendor)) }
      if let product { parts.append("with product number 0x" + HexadecimalText.fixed(product)) }
      return parts.isEmpty ? "device" : "device " + parts.joined(separator: " ")
    }
  }
}
