/// The device that the configuration selects (`pad.device`, `buttons[].device`).
package enum PadSelector: Hashable, Sendable, CustomStringConvertible {
  /// The most suitable pad; for a button, every device that has its key.
  case automatic
  /// The device at a path, which may be a link such as those in /dev/input/by-id.
  case path(String)
  /// The most suitable device that matches everything that is not `nil`; the name has to match exactly.
  case match(name: String?, vendor: UInt16?, product: UInt16?)

  /// The selection as text that fits after "there is no".
  package var description: String {
    switch self {
    case .automatic: return "pad"
    case .path(let path): return path
    case .match(let name, let vendor, let product):
      var parts: [String] = []
      if let name { parts.append("named \"\(name)\"") }
      if let vendor { parts.append("with vendor 0x" + HexadecimalText.fixed(vendor)) }
      if let product { parts.append("with product 0x" + HexadecimalText.fixed(product)) }
      return parts.isEmpty ? "device" : "device " + parts.joined(separator: " ")
    }
  }
}
