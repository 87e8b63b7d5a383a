import Linux
import Weighing

/// Which weighings a request asks for, and which page of them.
package struct HistoryQuery: Hashable, Sendable {
  /// The largest page.
  package static let maximumLimit = 200

  /// The parameters of a selection.
  static let selecting = ["from", "until", "label", "search", "voided"]

  /// Which weighings.
  package var selection = WeighingSelection()
  /// Only weighings with a smaller number; `nil` for the newest.
  package var before: Int?
  /// Maximum number of weighings.
  package var limit = 50

  /// Makes a query.
  package init(_ selection: WeighingSelection, before: Int? = nil, limit: Int = 50) {
    (self.selection, self.before, self.limit) = (selection, before, limit)
  }

  /// Reads the parameters of a request.
  init(_ request: Request, now: Instant) throws(QueryError) {
    let query = try QueryString(request, names: Self.selecting + ["before", "limit"])
    selection = try Self.selection(query, now: now)
    before = try query.integer("before", in: 1...(.max))
    limit = try query.integer("limit", in: 1...Self.maximumLimit) ?? limit
  }

  /// Reads the parameters of a selection.
  static func selection(_ request: Request, now: Instant) throws(QueryError) -> WeighingSelection {
    try selection(try QueryString(request, names: selecting), now: now)
  }

  private static func selection(_ query: QueryString, now: Instant) throws(QueryError) -> WeighingSelection {
    var selection = WeighingSelection()
    selection.from = try moment("from", query, now: now)?.instant
    selection.until = try moment("until", query, now: now)?.end
    if let from = selection.from, let until = selection.until, until <= from {
      throw QueryError(.httpQueryOrder)
    }
    selection.label = query["label"]
    selection.text = query["search"]
    switch query["voided"] {
    case nil: break
    case "true"?: selection.isVoided = true
    case "false"?: selection.isVoided = false
    case _?: throw QueryError(.httpQueryFlag, ["name": "voided"])
    }
    return selection
  }

  private static func moment(_ name: String, _ query: QueryString, now: Instant) throws(QueryError) -> PointInTime? {
    guard let text = query[name] else { return nil }
    guard let moment = PointInTime(text, now: now) else { throw QueryError(.httpQueryTime, ["name": name]) }
    return moment
  }
}
