import Messages
import Weighing

/// A message of an appliance that the collector stores.
package enum CollectedMessage: Hashable, Sendable {
  /// A weighing, void or relabel.
  case weighing(CollectedRecord)
  /// The health of a device.
  case health(device: String, payload: [UInt8])
  /// The answer to `command/resend`.
  case resent(device: String, ResendReport)

  /// Parses a message; `nil` for any other topic.
  ///
  /// - Parameter prefix: The common prefix of all appliances, `mqtt.prefix`.
  /// - Throws: `CollectedMessageError` for a payload that cannot be stored.
  package init?(_ message: IncomingMessage, prefix: String) throws(CollectedMessageError) {
    let levels = message.topic.utf8.dropFirst(prefix.utf8.count + 1)
    guard message.topic.utf8.starts(with: (prefix + "/").utf8), let slash = levels.firstIndex(of: UInt8(ascii: "/")),
      let device = String(levels[..<slash]), let topic = String(levels[levels.index(after: slash)...])
    else { return nil }
    switch topic.split(separator: "/").first ?? "" {
    case "weighing" where topic == "weighing":
      self = .weighing(try CollectedRecord(device: device, payload: message.payload))
    case "health" where topic == "health":
      guard let json = try? JSONValue(message.payload, maximumBytes: Self.maximumBytes), case .object = json else {
        throw CollectedMessageError(device: device, detail: "health is not a JSON object")
      }
      self = .health(device: device, payload: message.payload)
    case "result":
      guard let report = ResendReport(message.payload) else { return nil }
      self = .resent(device: device, report)
    default: return nil
    }
  }

  /// The maximum size of a payload: more than the answer that names 10,000 missing records.
  static let maximumBytes = 128 * 1024
}

/// A payload that cannot be stored.
package struct CollectedMessageError: Error, Hashable, Sendable {
  /// The device of the topic.
  package let device: String
  /// What is wrong with the payload.
  package let detail: String
}

/// A record as an appliance has published it.
package struct CollectedRecord: Hashable, Sendable {
  /// The device of the topic.
  package let device: String
  /// Its number in the journal of the device.
  package let sequence: Int
  /// When it was confirmed, from its id.
  let milliseconds: Int
  /// The JSON text, which is passed on as it is, so that no digit of a number changes.
  let payload: [UInt8]

  /// Checks what PostgreSQL would reject.
  init(device: String, payload: [UInt8]) throws(CollectedMessageError) {
    func error(_ detail: String) -> CollectedMessageError { CollectedMessageError(device: device, detail: detail) }
    guard let json = try? JSONValue(payload, maximumBytes: 16 * 1024), case .object(let fields) = json else {
      throw error("not a JSON object")
    }
    guard let text = fields["id"]?.text, let id = WeighingID(text) else { throw error("id is not a UUID of version 7") }
    guard case .number(let number)? = fields["sequence"], let sequence = Int(exactly: number), sequence > 0,
      sequence < 1 << 53
    else { throw error("sequence is not a positive integer") }
    // A text of PostgreSQL cannot have the character U+0000.
    guard !payload.contains(0), !Self.hasNull(json) else { throw error("a text has the character U+0000") }
    self.device = device
    self.sequence = sequence
    self.payload = payload
    milliseconds = id.milliseconds
  }

  private static func hasNull(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): text.utf8.contains(0)
    case .array(let items): items.contains(where: hasNull)
    case .object(let object): object.keys.contains { $0.utf8.contains(0) || object[$0].map(hasNull) ?? false }
    case .null, .boolean, .number: false
    }
  }
}

/// What a device answers to `command/resend`.
package struct ResendReport: Hashable, Sendable {
  /// The records that the device does not have, as ranges.
  package var missing: [ClosedRange<Int>] = []
  /// The highest sequence that the device has assigned: higher ones are not missing.
  package var last = 0

  /// Makes a report.
  init(missing: [ClosedRange<Int>], last: Int) {
    self.missing = missing
    self.last = last
  }

  /// Parses an answer; `nil` for the answer to another command, and for a rejection.
  init?(_ payload: [UInt8]) {
    guard let json = try? JSONValue(payload, maximumBytes: CollectedMessage.maximumBytes),
      json["action"]?.text == Command.resendName, json["ok"]?.isTrue == true,
      case .array(let ranges)? = json["missing"],
      case .number(let last)? = json["last"], let last = Int(exactly: last)
    else { return nil }
    self.last = last
    for range in ranges {
      guard case .array(let ends) = range, ends.count == 2, case .number(let from) = ends[0],
        case .number(let to) = ends[1], let from = Int(exactly: from), let to = Int(exactly: to), from >= 1, from <= to,
        to < 1 << 53
      else { return nil }
      missing.append(from...to)
    }
  }
}
