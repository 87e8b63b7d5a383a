import Languages
import Weighing

extension ScannerBinding {
  /// An example for the documentation.
  static let example = ScannerBinding(device: .match(name: "Barcode Reader", vendor: nil, product: nil))
}

extension CodeMeaning {
  /// An example for the documentation.
  static let example = ScannedCode("4006381333931").map {
    CodeMeaning(code: $0, label: "beans", container: ContainerName("jug"), target: Grams(18))
  }
}

extension ValueRule<[ScannerBinding]> {
  /// At most 8 scanners; each device at most once.
  static var scanners: Self {
    .list(atMost: 8, of: "scanners {device: ..., layout: ...}", ValueRule<ScannerBinding>.scanner)
  }
}

extension ValueRule<ScannerBinding> {
  /// A scanner that none of the others is.
  fileprivate static func scanner(after others: [ScannerBinding]) -> Self {
    let expected = Sentence(.acceptsScanner, ["form": "{device: ..., layout: ...}"])
    let (deviceRule, layoutRule) = (ValueRule<PadSelector>.oneDevice, ValueRule<String>.text(maximumBytes: 64))
    return ValueRule(
      expected,
      schema: .objectSchema(
        [
          "device": deviceRule.schema().described("The scanner; its keys reach no other program."),
          "layout": layoutRule.schema().described("The keyboard layout that the scanner types in."),
        ], required: ["device"]),
      output: { .record(["device": deviceRule.output($0.device), "layout": layoutRule.output($0.layout)]) }
    ) { node, reporter in
      var device: PadSelector?
      var layout = ScannerBinding.usualLayout
      var item = SectionReader(item: node, expected, reporter)
      item.require("device", deviceRule, into: &device)
      item.read("layout", layoutRule, into: &layout)
      if let device, others.contains(where: { $0.device == device }) { item.report("device", .configScannerTaken) }
      guard item.finish(), let device else { return nil }
      return ScannerBinding(device: device, layout: layout)
    }
  }
}

extension ValueRule<[CodeMeaning]> {
  /// A mapping of codes to their meanings.
  static var codes: Self {
    let expected = Sentence(.acceptsMapping, ["form": "{CODE: {label: ..., container: ..., target_g: ...}}"])
    let fields = ValueRule<CodeMeaning.Fields>.fields
    return ValueRule(
      expected,
      schema: [
        "type": ["object", "null"], "maxProperties": .integer(CodeMeaning.maximumCount),
        "propertyNames": ["minLength": 1, "maxLength": .integer(ScannedCode.maximumCharacters)],
        "additionalProperties": fields.schema(),
      ],
      output: { codes in
        .map(codes.compactMap { code in fields.output(code.fields).map { OutputEntry(code.code.text, $0) } })
      }
    ) { node, reporter in
      if node.scalar == .null { return [] }
      guard case .mapping(let pairs) = node.content else { return reporter.reportUnexpected(node, expected: expected) }
      guard pairs.count <= CodeMeaning.maximumCount else {
        return reporter.report(
          .configManyEntries, ["count": pairs.count, "limit": CodeMeaning.maximumCount], at: node.position)
      }
      let codes = pairs.compactMap { pair -> CodeMeaning? in
        let reporter = reporter.below(pair.key)
        guard !reporter.reportsDuplicate(pair, in: pairs) else { return nil }
        guard let code = ScannedCode(pair.key) else {
          return reporter.report(.configCode, ["maximum": ScannedCode.maximumCharacters], at: pair.position)
        }
        return fields.read(pair.value, reporter).map { CodeMeaning(code: code, fields: $0) }
      }
      return codes.count == pairs.count ? codes : nil
    }
  }
}

extension CodeMeaning {
  /// What a code stands for, without the code.
  fileprivate struct Fields {
    var label: String?
    var container: String?
    var target: Grams?
  }

  fileprivate var fields: Fields { Fields(label: label, container: container?.description, target: target) }

  fileprivate init(code: ScannedCode, fields: Fields) {
    self.init(
      code: code, label: fields.label, container: fields.container.flatMap(ContainerName.init), target: fields.target)
  }
}

extension ValueRule<CodeMeaning.Fields> {
  fileprivate static var fields: Self {
    let expected = Sentence(.acceptsMapping, ["form": "{label: ..., container: ..., target_g: ...}"])
    let labelRule = ValueRule<String>.text(maximumBytes: QuickAction.maximumValueBytes)
    let containerRule = ValueRule<String>.text(maximumBytes: ContainerName.maximumBytes)
    let targetRule = ValueRule<Grams>.grams(above: 0, through: Grams.maximum.value)
    return ValueRule(
      expected,
      schema: [
        "type": "object", "additionalProperties": false, "minProperties": 1,
        "properties": [
          "label": labelRule.schema().described("Label of the next weighing."),
          "container": containerRule.schema().described("Name of the container whose tare is set."),
          "target_g": targetRule.schema().described("Target for the net in grams."),
        ],
      ],
      output: {
        .record([
          "label": $0.label.flatMap(labelRule.output), "container": $0.container.flatMap(containerRule.output),
          "target_g": $0.target.flatMap(targetRule.output),
        ])
      }
    ) { node, reporter in
      var fields = CodeMeaning.Fields()
      var item = SectionReader(item: node, expected, reporter)
      item.read("label", labelRule, into: &fields.label)
      item.read("container", containerRule, into: &fields.container)
      item.read("target_g", targetRule, into: &fields.target)
      guard item.finish() else { return nil }
      if fields.label == nil, fields.container == nil, fields.target == nil {
        return reporter.report(.configCodeEmpty, at: node.position)
      }
      return fields
    }
  }
}
