import Languages
import Weighing

extension Configuration {
  /// The selection of the pad (`pad.device`).
  package enum DeviceChoice: Hashable, Sendable {
    /// An evdev device; `automatic` also stands for a converter.
    case input(PadSelector)
    /// The simulated pad.
    case simulated
    /// The IIO device with this name: the converter of a load cell.
    case converter(String)

    /// The selected evdev device; `automatic` for the simulated pad and for converters.
    package var selector: PadSelector { if case .input(let selector) = self { selector } else { .automatic } }
  }
}

extension ValueRule<Configuration.DeviceChoice> {
  /// `auto`, `simulated`, an absolute path, `{name: ..., vendor: ..., product: ...}` or `{iio: ...}`.
  static var deviceChoice: Self {
    let names = ["auto", "simulated"]
    let expected = Sentence(
      .acceptsDeviceOrConverter,
      ["words": names.joined(separator: ", "), "form": PadSelector.form, "converter": "{iio: ...}"])
    return ValueRule(
      expected, schema: ValueRule<PadSelector>.schema(words: names, or: [converter.schema()]),
      output: { choice in
        switch choice {
        case .input(let selector): ValueRule<PadSelector>.padSelector.output(selector)
        case .simulated: "simulated"
        case .converter: converter.output(choice)
        }
      }
    ) { node, reporter in
      if node.scalar == .text("simulated") { return .simulated }
      if case .mapping(let entries) = node.content, entries.contains(where: { $0.key == "iio" }) {
        return converter.read(node, reporter)
      }
      return ValueRule<PadSelector>.read(node, reporter, words: names, expected).map(Configuration.DeviceChoice.input)
    }
  }

  private static var converter: Self {
    let expected = Sentence(.acceptsMapping, ["form": "{iio: ...}"])
    let nameRule = ValueRule<String>.text(maximumBytes: 256)
    return ValueRule(
      expected,
      schema: [
        "description": "The converter of a load cell.", "type": "object", "additionalProperties": false,
        "required": ["iio"],
        "properties": ["iio": nameRule.schema().described("Name of the IIO device: hx711, nau7802, ads1115.")],
      ],
      output: { choice in
        guard case .converter(let name) = choice else { return nil }
        return .record(["iio": nameRule.output(name)])
      }
    ) { node, reporter in
      var name: String?
      var item = SectionReader(item: node, expected, reporter)
      item.require("iio", nameRule, into: &name)
      guard item.finish(), let name else { return nil }
      return .converter(name)
    }
  }
}

extension PadSelector {
  fileprivate static let form = "{name: ..., vendor: ..., product: ...}"
}

extension ValueRule<PadSelector> {
  /// `auto`, an absolute path, or `{name: ..., vendor: ..., product: ...}`.
  static var padSelector: Self {
    let expected = Sentence(.acceptsDevice, ["words": "auto", "form": PadSelector.form])
    return ValueRule(
      expected, schema: schema(words: ["auto"], or: []),
      output: { selector in
        switch selector {
        case .automatic: "auto"
        case .path(let path): .text(path)
        case .match: matching.output(selector)
        }
      }
    ) { node, reporter in
      read(node, reporter, words: ["auto"], expected)
    }
  }

  /// An absolute path, or `{name: ..., vendor: ..., product: ...}`: one device, and never every one.
  static var oneDevice: Self {
    let expected = Sentence(.acceptsOneDevice, ["form": PadSelector.form])
    return ValueRule(expected, schema: schema(words: [], or: []), output: padSelector.output) { node, reporter in
      if node.scalar == .text("auto") { return reporter.reportUnexpected(node, expected: expected) }
      return read(node, reporter, words: [], expected)
    }
  }

  /// The schema of one of the words, of what selects an input device, or of another form.
  fileprivate static func schema(words: [String], or others: [OutputValue]) -> OutputValue {
    [
      "anyOf": .list(
        (words.isEmpty ? [] : [["enum": .list(words.map { .text($0) })]]) + [
          [
            "description": "Absolute path of a device node.", "type": "string", "maxLength": 4095,
            "pattern": #"^/[^\u0000]+$"#,
          ],
          matching.schema(),
        ] + others)
    ]
  }

  /// Reads what selects an input device.
  ///
  /// - Parameter words: What is suggested for an unknown word; `auto` is the only one that is read.
  fileprivate static func read(
    _ node: YAMLNode, _ reporter: DiagnosticReporter, words: [String], _ expected: Sentence
  ) -> PadSelector? {
    if case .mapping = node.content { return matching.read(node, reporter) }
    guard case .text(let text) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
    if text == "auto" { return .automatic }
    if text.hasPrefix("/"), text.utf8.count > 1, text.utf8.count < 4096, !text.utf8.contains(0) { return .path(text) }
    let isEventName = text.hasPrefix("event") && text.utf8.dropFirst(5).allSatisfy({ isDigitByte($0) })
    return reporter.reportUnexpected(
      node, expected: expected, suggestion: isEventName ? "/dev/input/\(text)" : closest(to: text, in: words))
  }

  private static var matching: Self {
    let expected = Sentence(.acceptsMapping, ["form": PadSelector.form])
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
      output: { selector in
        guard case .match(let name, let vendor, let product) = selector else { return nil }
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
        return reporter.report(.configNoDevice, at: node.position)
      }
      return .match(name: name, vendor: vendor, product: product)
    }
  }
}

extension ValueRule<UInt16> {
  /// A vendor or product: a number (`1739`, `0x06cb`), or four hexadecimal digits as a string (`"06cb"`).
  ///
  /// Four digits with a leading zero are hexadecimal even without quotes, because decimal numbers are not written that way.
  fileprivate static var identity: Self {
    let expected = Sentence(.acceptsIdentity)
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
