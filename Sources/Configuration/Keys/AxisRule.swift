import Languages
import Weighing

extension ValueRule<AxisChoice> {
  /// The maximum number of axes that are added: more than any device has outside of its contacts.
  private static let maximumAxes = 32

  /// `auto`, the kernel's name of an axis, or a list of names.
  static var axisChoice: Self {
    let expected = Sentence(.acceptsAxisChoice)
    return ValueRule(
      expected,
      schema: [
        "anyOf": [
          ["const": "auto"], ["$ref": "#/definitions/axis"],
          [
            "description": "Axes that are added, each less its minimum.", "type": "array", "minItems": 1,
            "maxItems": .integer(maximumAxes), "uniqueItems": true, "items": ["$ref": "#/definitions/axis"],
          ],
        ]
      ],
      output: { axis in
        switch axis {
        case .automatic: "auto"
        case .named(let code): .text(code.name)
        case .sum(let codes): .axes(codes)
        }
      }
    ) { node, reporter in
      if case .sequence(let items) = node.content { return list(items, of: node, reporter) }
      guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      if name == "auto" { return .automatic }
      if let code = AxisCode(name: name) { return .named(code) }
      return reporter.reportUnexpected(
        node, expected: expected, suggestion: closest(to: name, in: ["auto"] + AxisCode.allNames))
    }
  }

  /// Two or more different axes outside the contacts, or any one axis.
  private static func list(_ items: [YAMLNode], of node: YAMLNode, _ reporter: DiagnosticReporter) -> AxisChoice? {
    guard let codes = reporter.items(of: node, atMost: maximumAxes, axis) else { return nil }
    guard let first = codes.first else { return reporter.report(.configNoAxis, at: node.position, suggestion: "auto") }
    guard codes.count > 1 else { return .named(first) }
    var isValid = true
    for (index, code) in codes.enumerated() {
      let item = reporter.below("[\(index)]")
      if let earlier = codes[..<index].firstIndex(of: code) {
        item.report(
          .configAxisRepeated, ["axis": code.name, "line": items[earlier].position.line], at: items[index].position,
          suggestion: neighbour(of: code, notIn: codes)?.name)
        isValid = false
      } else if code.isMultitouch || code == .slot {
        item.report(.configContactAxis, ["axis": code.name], at: items[index].position)
        isValid = false
      }
    }
    return isValid ? .sum(codes) : nil
  }

  /// An item of the list.
  private static func axis(_ node: YAMLNode, _ reporter: DiagnosticReporter) -> AxisCode? {
    let expected = Sentence(.acceptsAxis)
    guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
    return AxisCode(name: name)
      ?? reporter.reportUnexpected(node, expected: expected, suggestion: closest(to: name, in: AxisCode.allNames))
  }

  /// The axis that was probably meant where another one is repeated: the next of the same family, as ABS_HAT1X after
  /// ABS_HAT0Y.
  private static func neighbour(of code: AxisCode, notIn codes: [AxisCode]) -> AxisCode? {
    let family = { (code: AxisCode) in code.name.filter { !$0.isNumber }.dropLast() }
    return AxisCode.allNames.compactMap(AxisCode.init(name:)).first {
      $0 > code && family($0) == family(code) && !codes.contains($0)
    }
  }
}

extension OutputValue {
  /// The names of axes: a text for one, a list for several.
  static func axes(_ codes: [AxisCode]) -> OutputValue {
    codes.count == 1 ? .text(codes[0].name) : .list(codes.map { .text($0.name) })
  }
}
