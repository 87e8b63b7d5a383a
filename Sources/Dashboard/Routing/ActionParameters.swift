import Messages
import Weighing

/// The body of an action request: `{}`, or an object with `label` and `id`.
package struct ActionParameters: Hashable, Sendable {
  /// The label of a weighing, one line of 1...256 bytes; empty to remove it, which only a relabel can.
  package var label: String?
  /// The weighing that a void or a relabel refers to; `last` without an `id`.
  package var reference = WeighingReference.last

  /// No label, and the last weighing.
  package init() {}

  /// Parses a body.
  init(_ body: [UInt8], for name: String) throws(APIError) {
    if body.isEmpty { return }
    guard let value = try? JSONValue(body, maximumBytes: 4096), case .object(let fields) = value,
      fields.keys.allSatisfy({ $0 == "label" || $0 == "id" })
    else { throw .badPayload }
    if let id = fields["id"], id != .null {
      guard let text = id.text, text.utf8.count <= 64 else { throw .badPayload }
      reference = WeighingReference(id: text)
    }
    guard let label = fields["label"] else { return }
    if name == Action.relabel.rawValue, label == .null || label.text?.isEmpty == true {
      self.label = ""
      return
    }
    guard let text = label.text, (1...QuickAction.maximumValueBytes).contains(text.utf8.count),
      !text.allSatisfy(\.isWhitespace),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .badPayload }
    self.label = text
  }
}
