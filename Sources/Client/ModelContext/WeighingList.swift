import Messages
import Weighing

/// A weighing in the list that a model reads.
package struct ListedWeighing: Hashable, Sendable {
  package var id: String
  package var sequence: Int
  /// RFC 3339 in UTC with milliseconds.
  package var time: String
  package var net: Grams?
  /// The current label.
  package var label: String?
  package var isVoided: Bool

  /// Makes a weighing.
  package init(id: String, sequence: Int, time: String, net: Grams?, label: String?, isVoided: Bool) {
    (self.id, self.sequence, self.time) = (id, sequence, time)
    (self.net, self.label, self.isVoided) = (net, label, isVoided)
  }
}

/// Where the weighings of an appliance are read.
package struct WeighingSource: Sendable {
  /// Reads the weighings one after the other, oldest first.
  ///
  /// Returns whether these are all weighings of the appliance, and not only those since the server was started.
  package typealias Reader = @Sendable (_ body: (ListedWeighing) -> Void) throws(ToolFailure) -> Bool

  let read: Reader
  /// Converts a time that a person would write to RFC 3339 in UTC with milliseconds; `nil` if it is invalid.
  let time: @Sendable (String) -> String?

  /// Makes a source.
  package init(read: @escaping Reader, time: @escaping @Sendable (String) -> String?) {
    (self.read, self.time) = (read, time)
  }
}

/// Why a call failed, for the model.
package struct ToolFailure: Error, CustomStringConvertible {
  package let description: String

  /// Makes a failure.
  package init(_ description: String) { self.description = description }
}

/// The answer to `list_weighings`.
struct WeighingList {
  /// Maximum number of weighings in a list.
  static let limit = 200

  /// The answer, JSON.
  let payload: [UInt8]

  init(_ source: WeighingSource, _ arguments: ToolArguments) throws(ToolFailure) {
    var since: String?
    if let text = arguments.text("since") {
      guard let time = source.time(text) else {
        throw ToolFailure("since: invalid time; use 2026-11-01, 2026-11-01T08:30:00Z, or an age such as 45m, 24h or 7d")
      }
      since = time
    }
    let label = arguments.text("label")
    let includesVoided = arguments.isTrue("include_voided")
    let limit = arguments.number("limit").map { Int($0) } ?? 10
    var (newest, count, total) = ([ListedWeighing](), 0, 0.0)
    let isComplete = try source.read { weighing in
      // The times have one format, so their order is that of the texts.
      guard since.map({ weighing.time >= $0 }) ?? true, label.map({ weighing.label ?? "" == $0 }) ?? true else {
        return
      }
      if !weighing.isVoided {
        count += 1
        total += weighing.net?.value ?? 0
      } else if !includesVoided {
        return
      }
      newest.append(weighing)
      if newest.count >= 2 * limit { newest.removeFirst(newest.count - limit) }
    }
    payload = JSONWriter.object { json in
      json.array("weighings", newest.suffix(limit).reversed()) { json, weighing in json.weighing(weighing) }
      json.field("count", count)
      json.field("total_net_g", total, decimals: 3)
      json.field("complete", isComplete)
    }
  }

  /// The fields of the answer.
  static let fields = [
    ToolField(
      "weighings",
      .list([
        ToolField("id", .text(maximumLength: nil), "Identifies the weighing.", isRequired: true),
        ToolField("sequence", .integer(nil), "The number of the record.", isRequired: true),
        ToolField("time", .text(maximumLength: nil), "When it was recorded, RFC 3339 in UTC.", isRequired: true),
        ToolField("net_g", .number(nil), "The net weight in grams.", isRequired: true, isNullable: true),
        ToolField("label", .text(maximumLength: nil), "The current label.", isRequired: true, isNullable: true),
        ToolField("voided", .boolean, "Whether it was voided.", isRequired: true),
      ]), "The weighings, newest first.", isRequired: true),
    ToolField("count", .integer(nil), "The number of all that match and are not voided.", isRequired: true),
    ToolField("total_net_g", .number(nil), "Their total net weight in grams.", isRequired: true),
    ToolField(
      "complete", .boolean,
      "False if only the weighings since the start of this server are known, because the journal is on another machine.",
      isRequired: true),
  ]
}

extension JSONWriter {
  fileprivate mutating func weighing(_ weighing: ListedWeighing) {
    object { json in
      json.fields(("id", weighing.id), ("sequence", weighing.sequence), ("time", weighing.time))
      json.field("net_g", weighing.net?.value, decimals: 3)
      json.fields(("label", weighing.label), ("voided", weighing.isVoided))
    }
  }
}
