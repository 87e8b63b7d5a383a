import Linux
import Messages

/// The state of the machine, as root has written it.
struct MachineState {
  /// The answer to a request.
  enum Answer: Hashable {
    case done
    /// The key with the fault, empty if it has none, and the reason.
    case refused(key: String, reason: String)
  }

  /// Whether it has an owner. What does not say `false` counts as `true`, so that a fault gives no one access.
  let isSetUp: Bool
  private let bytes: [UInt8]
  private let answer: JSONValue?

  /// The maximum length of the file.
  static let maximumBytes = 1 << 16

  /// Reads a file; `nil` if it is missing, unreadable or damaged.
  init?(path: String) {
    guard let bytes = try? fileBytes(path, limit: Self.maximumBytes) else { return nil }
    self.init(bytes)
  }

  /// Parses the content of the file; `nil` if it is damaged.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(bytes, maximumBytes: Self.maximumBytes), case .object = json else { return nil }
    (self.bytes, answer, isSetUp) = (bytes, json["answer"], json["is_set_up"]?.isTrue ?? true)
  }

  /// The answer to the request with an identifier; `nil` if it is not answered.
  func answer(to id: String) -> Answer? {
    guard let answer, answer["id"]?.text == id, let isDone = answer["ok"]?.isTrue else { return nil }
    if isDone { return .done }
    return .refused(key: answer["key"]?.text ?? "", reason: answer["reason"]?.text ?? "")
  }

  /// The state for the page.
  ///
  /// - Parameters:
  ///   - isWaiting: Whether a request is not answered.
  ///   - pads: The devices that can be chosen as the pad, as JSON.
  func json(isWaiting: Bool, pads: [UInt8] = Array("[]".utf8)) -> [UInt8] {
    let fields = bytes.drop { $0 != UInt8(ascii: "{") }.dropFirst()
    let isEmpty = fields.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "}")
    let own = Array("{\"ok\":true,\"waiting\":\(isWaiting),\"pads\":".utf8) + pads
    return own + Array((isEmpty ? "" : ",").utf8) + fields
  }

  /// What a client without the right to act learns of a machine that is set up when its request is answered.
  static let hidden: [UInt8] = Array(#"{"ok":true,"waiting":false,"is_set_up":true}"#.utf8)
}
