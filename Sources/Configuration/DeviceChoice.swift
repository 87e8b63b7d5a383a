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

extension ValueRule<Configuration.DeviceChoice> {
  /// One of the words, an absolute path, or `{name: ..., vendor: ..., product: ...}`.
  static func deviceChoice(words: KeyValuePairs<String, Configuration.DeviceChoice>) -> Self {
    let names = words.map(\.key)
    let expected =
      "\(names.joined(separator: ", ")), an absolute path, or a mapping {name: ..., vendor: ..., product: ...}"
    return ValueRule(
      expected,
      schema: [
        "anyOf": [
          ["enum": .list(names.map { .text($0) })],
          [
            "description": "Absolute path of a device node.", "type": "string", "maxLength": 4095,
            "pattern": #"^/[^\u0000]+$"#,
          ],
          matching.schema(),
        ]
      ],
      output: { choice in
        switch choice {
        case .automatic: "auto"
        case .simulated: "simulated"
        case .path(let path): .text(path)
        case .matching: matching.output(choice)
        }
      }
    ) { node, reporter in
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
    let expected = "a mapping {name: ..., vendor: ..., product: ...}"
    let (nameRule, identityRule) = (ValueRule<String>.text(maximumBytes: 256), ValueRule<UInt16>.identity)
    return ValueRule(
      expected,
      schema: [
        "description": "Matches the device that has all of the given properties.", "type": "object",
        "additionalProperties": false, "minProperties": 1,
        "properties": [
          "name": nameRule.schema().described("Device name as reported by the kernel."),
          "vendor": identityRule.schema(), "product": identityRule.schema(),
        ],
      ],
      output: { choice in
        guard case .matching(let name, let vendor, let product) = choice else { return nil }
        return .record([
          "name": name.flatMap(nameRule.output), "vendor": vendor.flatMap(identityRule.output),
          "product": product.flatMap(identityRule.output),
        ])
      }
    ) { node, reporter in
      var name: String?
      var vendor: UInt16?
      var product: UInt16?
      var item = SectionReader(item: node, expected, reporter)
      item.read("name", nameRule, into: &name)
      item.read("vendor", identityRule, into: &vendor)
      item.read("product", identityRule, into: &product)
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
    let expected = "a number from 0 to 0xffff or four hexadecimal digits in quotes"
    return ValueRule(
      expected,
      schema: [
        "description": "A vendor or product ID: a number, or four hexadecimal digits in quotes.",
        "anyOf": [
          ["type": "integer", "minimum": 0, "maximum": 65_535], ["type": "string", "pattern": "^[0-9a-fA-F]{4}$"],
        ],
      ],
      output: { .hexadecimal($0) }
    ) { node, reporter in
      if case .scalar(let text, let isPlain) = node.content, text.utf8.count == 4, !isPlain || text.hasPrefix("0"),
        text.utf8.allSatisfy({ isHexadecimal($0) }), let number = UInt16(text, radix: 16)
      {
        return number
      }
      if case .text(let text) = node.scalar, text.utf8.count == 4, text.utf8.allSatisfy({ isHexadecimal($0) }) {
        return UInt16(text, radix: 16)
      }
      if case .number(let value) = node.scalar, let number = UInt16(exactly: value) { return number }
      return reporter.reportUnexpected(node, expected: expected)
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
