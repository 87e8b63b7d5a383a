import Configuration
import Languages
import Messages
import Weighing

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
      throw SettingsRequestError(sentence: .expected(.acceptsObjectOf, ["maximum": Self.maximumBytes]))
    }
    let known = ["revision", "set", "reset", "undo"]
    if let unknown = fields.keys.first(where: { !known.contains($0) }) {
      throw SettingsRequestError(
        sentence: Sentence(.payloadUnknownField, ["name": String(unknown.unicodeScalars.prefix(32))]))
    }
    guard let revision = fields["revision"]?.text else {
      throw SettingsRequestError(
        sentence: .expected(.acceptsRevision, ["path": "GET /api/settings"]).about("revision"))
    }
    self.revision = revision
    if let undo = fields["undo"] {
      guard undo.isTrue == true else {
        throw SettingsRequestError(sentence: .expected(.verbatim("true")).about("undo"))
      }
      guard fields.keys.count == 2 else {
        throw SettingsRequestError(sentence: Sentence(.parameterExcludes, ["other": "set, reset"]).about("undo"))
      }
      content = .undo
      return
    }
    var change = SettingsChange()
    if let values = fields["set"] {
      guard case .object(let values) = values else {
        throw SettingsRequestError(sentence: .expected(.acceptsObject).about("set"))
      }
      for key in values.keys { change.values[key] = values[key] }
    }
    if let keys = fields["reset"] {
      let fault = SettingsRequestError(sentence: .expected(.acceptsList).about("reset"))
      guard case .array(let items) = keys else { throw fault }
      let names = items.compactMap(\.text)
      guard names.count == items.count else { throw fault }
      change.resets = Set(names)
    }
    if let both = change.resets.sorted().first(where: { change.values[$0] != nil }) {
      throw SettingsRequestError(
        sentence: Sentence(.parameterExcludes, ["other": "reset"]).about(String(both.unicodeScalars.prefix(32))))
    }
    content = .change(change)
  }
}

/// Why a payload is not a request to change settings.
struct SettingsRequestError: Error, Hashable, Sendable {
  /// What is wrong with it.
  let sentence: Sentence
}
