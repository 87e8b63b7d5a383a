import Languages
import Weighing

extension ValueRule<String> {
  /// An action by name. References to quick actions are checked after everything has been read.
  static var action: Self {
    let expected = Sentence(.acceptsAction)
    return ValueRule(
      expected,
      schema: [
        "description": "The type of a quick action or a built-in action.", "type": "string",
        "examples": .list(Action.allCases.map { .text($0.rawValue) }), "pattern": .text(typePattern),
      ],
      output: { .text($0) }
    ) { node, reporter in
      guard case .text(let name) = node.scalar else { return reporter.reportUnexpected(node, expected: expected) }
      reporter.addReference(to: name, at: node.position)
      return name
    }
  }

  /// The type of a quick action, see `QuickAction.isType`.
  static var actionType: Self {
    let expected = Sentence(.acceptsActionType, ["maximum": 64])
    let reserved = Action.allCases.map { OutputValue.text($0.rawValue) } + ["history", "actions"]
    return ValueRule(
      expected, schema: ["type": "string", "pattern": .text(typePattern), "not": ["enum": .list(reserved)]],
      output: { .text($0) }
    ) { node, reporter in
      if case .text(let type) = node.scalar {
        if QuickAction.isType(type) { return type }
        if QuickAction.isReserved(type) {
          return reporter.report(.configBuiltInAction, ["type": type], at: node.position)
        }
      }
      return reporter.reportUnexpected(node, expected: expected, suggestion: node.numberAsText)
    }
  }
}

/// The regular expression of the names of actions.
private let typePattern = "^[A-Za-z0-9_-]{1,64}$"

/// Whether a byte is an ASCII digit.
package func isDigitByte(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// Whether a byte is an ASCII letter, digit, `_` or `-`.
package func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
    true
  default: false
  }
}
