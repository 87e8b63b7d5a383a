extension Configuration {
  /// The selection of an evdev device (`pad.device`, `buttons[].device`).
  package enum DeviceChoice: Hashable, Sendable {
    /// For the pad, the best device that can weigh; for a button, every device that has the key.
    case automatic
    /// The simulated pad.
    case simulated
    /// A device node by its absolute path, `/dev/input/by-id/...`.
    case path(String)
    /// The device that matches all given properties.
    case matching(name: String?, vendor: UInt16?, product: UInt16?)
  }
}

extension Configuration.DeviceChoice {
  var yaml: YAMLOutput {
    switch self {
    case .automatic: return .text("auto")
    case .simulated: return .text("simulated")
    case .path(let path): return .text(path)
    case .matching(let name, let vendor, let product):
      var entries: [YAMLEntry] = []
      if let name { entries.append(("name", .text(name))) }
      if let vendor { entries.append(("vendor", .hexadecimal(vendor))) }
      if let product { entries.append(("product", .hexadecimal(product))) }
      return .map(entries)
    }
  }
}

extension ValueRule<Configuration.DeviceChoice> {
  /// One of the words, an absolute path, or `{name: ..., vendor: ..., product: ...}`.
  static func deviceChoice(words: KeyValuePairs<String, Configuration.DeviceChoice>) -> Self {
    ValueRule { node, reporter in
      let names = words.map(\.key)
      let expected =
        "\(names.joined(separator: ", ")), an absolute path, or a mapping {name: ..., vendor: ..., product: ...}"
      if case .mapping = node.content { return matching.read(node, reporter) }
      guard case .text(let text) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      if let word = words.first(where: { $0.key == text }) { return word.value }
      if text.hasPrefix("/"), text.utf8.count > 1, text.utf8.count < 4096, !text.utf8.contains(0) { return .path(text) }
      let isEventName = text.hasPrefix("event") && text.utf8.dropFirst(5).allSatisfy({ isDigitByte($0) })
      return reporter.reportUnexpected(
        node, expected: expected, suggestion: isEventName ? "/dev/input/\(text)" : closest(to: text, in: names))
    }
  }

  private static var matching: Self {
    ValueRule { node, reporter in
      var name: String?
      var vendor: UInt16?
      var product: UInt16?
      var item = SectionReader(item: node, "a mapping {name: ..., vendor: ..., product: ...}", reporter)
      item.read("name", .text(maximumBytes: 256), into: &name)
      item.read("vendor", .identity, into: &vendor)
      item.read("product", .identity, into: &product)
      guard item.finish() else { return nil }
      guard name != nil || vendor != nil || product != nil else {
        return reporter.report("no device specified; set at least one of name, vendor and product", at: node.position)
      }
      return .matching(name: name, vendor: vendor, product: product)
    }
  }
}

extension ValueRule<UInt16> {
  /// A vendor or product: a number (`1739`, `0x06cb`), or four hexadecimal digits as a string (`"06cb"`).
  ///
  /// Four digits with a leading zero are hexadecimal even without quotes, because decimal numbers are not written that way.
  fileprivate static var identity: Self {
    ValueRule { node, reporter in
      if case .scalar(let text, let isPlain) = node.content, text.utf8.count == 4, !isPlain || text.hasPrefix("0"),
        text.utf8.allSatisfy({ isHexadecimal($0) }), let number = UInt16(text, radix: 16)
      {
        return number
      }
      if case .text(let text) = node.scalar, text.utf8.count == 4, text.utf8.allSatisfy({ isHexadecimal($0) }) {
        return UInt16(text, radix: 16)
      }
      if case .number(let value) = node.scalar, let number = UInt16(exactly: value) { return number }
      return reporter.reportUnexpected(node, expected: "a number from 0 to 0xffff or four hexadecimal digits in quotes")
    }
  }
}

/// Whether a byte is a hexadecimal digit.
private func isHexadecimal(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
    UInt8(ascii: "A")...UInt8(ascii: "F"):
    true
  default: false
  }
}
