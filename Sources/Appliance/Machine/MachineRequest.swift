import Languages
import Messages
import Weighing

/// A request of the page to the machine: `{"do": "set", "set": {"hostname": "grampad", ...}}`, or `{"do": ...}` with another verb.
///
/// Root checks the values again; here, nothing passes that could be read as another line of the request.
struct MachineRequest: Hashable, Sendable {
  /// What the machine can do.
  enum Verb: String, CaseIterable, Sendable {
    case set, scan, update, back, restart, reset, finish, backup, restore
  }

  /// A value with its key.
  struct Setting: Hashable, Sendable {
    let key: String
    let value: String
  }

  let verb: Verb
  let settings: [Setting]

  /// The keys that can be set.
  static let keys = [
    "name", "hostname", "time_zone", "country", "wifi", "wifi_password", "pad", "sensor", "broker", "broker_user",
    "broker_password", "home_assistant", "updates", "ssh_key",
  ]

  /// The maximum length of the text.
  static let maximumBytes = 4096

  /// The longest identifier: ten digits.
  private static let longestID = "4294967295"

  /// - Throws: `MachineRequestError` if the payload is not such a request.
  init(_ payload: [UInt8]) throws(MachineRequestError) {
    guard let json = try? JSONValue(payload, maximumBytes: Self.maximumBytes), case .object(let fields) = json
    else { throw .payload(.expected(.acceptsObjectOf, ["maximum": Self.maximumBytes])) }
    if let unknown = fields.keys.first(where: { $0 != "do" && $0 != "set" }) { throw .unknown(unknown) }
    guard let verb = fields["do"]?.text.flatMap(Verb.init) else {
      throw .payload(.expected(.oneOf(Verb.allCases.map(\.rawValue))).about("do"))
    }
    self.verb = verb
    guard verb == .set else {
      guard fields["set"] == nil else { throw .unknown("set") }
      settings = []
      return
    }
    guard case .object(let values)? = fields["set"], !values.keys.isEmpty else {
      throw .payload(.expected(.acceptsObject).about("set"))
    }
    if let unknown = values.keys.first(where: { !Self.keys.contains($0) }) { throw .unknown(unknown) }
    var settings: [Setting] = []
    for key in values.keys {
      guard let value = values[key]?.text else { throw .payload(.expected(.acceptsString).about(key)) }
      guard value.unicodeScalars.allSatisfy(Self.isAllowed) else {
        throw .value(key: key, Sentence(.configControlCharacters))
      }
      settings.append(Setting(key: key, value: value))
    }
    self.settings = settings
    guard text(id: Self.longestID).utf8.count <= Self.maximumBytes else {
      throw .payload(.expected(.acceptsObjectOf, ["maximum": Self.maximumBytes]))
    }
  }

  /// Whether a scalar neither controls nor ends a line.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// The text of the file: one `key = value` a line, the identifier first.
  func text(id: String) -> String {
    ([("id", id), ("do", verb.rawValue)] + settings.map { ($0.key, $0.value) }).map { "\($0) = \($1)\n" }.joined()
  }
}

/// Why a payload is not a request to the machine.
enum MachineRequestError: Error, Hashable, Sendable {
  /// The payload is invalid.
  case payload(Sentence)
  /// The value of a key is invalid.
  case value(key: String, Sentence)

  /// A field that there is not.
  static func unknown(_ name: String) -> Self {
    .payload(Sentence(.payloadUnknownField, ["name": String(name.unicodeScalars.prefix(32))]))
  }
}
