import Configuration
import Messages

/// A request of the page to change settings:
/// `{"revision": "...", "set": {"device.name": "Bench", ...}, "reset": ["scale.unit", ...]}`, or
/// `{"revision": "...", "undo": true}`.
struct SettingsRequest: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case change(SettingsChange)
    case undo
  }

  let revision: String
  let content: Content

  /// The maximum length: 64 containers and four quick actions with all their parameters fit.
  static let maximumBytes = 1 << 16

  /// - Throws: `SettingsRequestError` if the payload is not such a request.
  init(_ payload: [UInt8]) throws(SettingsRequestError) {
    guard let json = try? JSONValue(payload, maximumBytes: Self.maximumBytes), case .object(let fields) = json else {
      throw SettingsRequestError(detail: "expected a JSON object of at most \(Self.maximumBytes) bytes")
    }
    let known = ["revision", "set", "reset", "undo"]
    if let unknown = fields.keys.first(where: { !known.contains($0) }) {
      throw SettingsRequestError(detail: "unknown field \(String(unknown.unicodeScalars.prefix(32)))")
    }
    guard let revision = fields["revision"]?.text else {
      throw SettingsRequestError(detail: "revision: expected the revision from GET /api/settings")
    }
    self.revision = revision
    if let undo = fields["undo"] {
      guard undo.isTrue == true, fields.keys.count == 2 else {
        throw SettingsRequestError(detail: "undo: expected true, without set and reset")
      }
      content = .undo
      return
    }
    var change = SettingsChange()
    if let values = fields["set"] {
      guard case .object(let values) = values else {
        throw SettingsRequestError(detail: "set: expected an object of keys and values")
      }
      for key in values.keys { change.values[key] = values[key] }
    }
    if let keys = fields["reset"] {
      guard case .array(let items) = keys else { throw SettingsRequestError(detail: "reset: expected a list of keys") }
      let names = items.compactMap(\.text)
      guard names.count == items.count else { throw SettingsRequestError(detail: "reset: expected a list of keys") }
      change.resets = Set(names)
    }
    if let both = change.resets.sorted().first(where: { change.values[$0] != nil }) {
      throw SettingsRequestError(detail: "\(String(both.unicodeScalars.prefix(32))) is both set and reset")
    }
    content = .change(change)
  }
}

/// Why a payload is not a request to change settings.
struct SettingsRequestError: Error, Hashable, Sendable {
  /// What is wrong with it.
  let detail: String
}
