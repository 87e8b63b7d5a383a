import Messages
import Weighing

@testable import Appliance
@testable import Journal

/// What the people of a scale were told of their actions, by whichever front end, and whether the journal agrees.
struct ToldAnswers {
  /// A record as an answer shows it.
  private struct Record: Hashable {
    var view: SimulatedViews.View
    var id: String
    var sequence: Int
    var kind: String
    var net: Double
    var tare: Double
    var label: String?
  }

  private var records: [Record] = []
  /// How often a label was asked for, and how often that was refused. A command that comes twice is two requests.
  private var requests: [String: (asked: Int, refused: Int)] = [:]
  /// The identifier of the last weighing that somebody was told.
  private(set) var lastWeighing: String?

  /// A request is on its way to the scale.
  mutating func ask(_ request: ActionRequest) {
    if let label = request.label { requests[label, default: (0, 0)].asked += 1 }
  }

  /// The scale has decided.
  mutating func decide(_ result: ActionResult) {
    if result.rejection != nil, let label = result.request.label { requests[label, default: (0, 0)].refused += 1 }
  }

  /// Somebody was told the payload of an answer; returns what is wrong with it.
  mutating func tell(_ view: SimulatedViews.View, _ payload: [UInt8]) -> String? {
    guard let answer = try? JSONFields(payload, maximumBytes: payload.count) else { return "no JSON" }
    let isDone = answer.isTrue("ok")
    if isDone != (answer["reason"] == .null) { return "ok and a reason" }
    guard let weighing = answer.object("weighing") else {
      let action = answer.text("action").flatMap(Action.init)
      return isDone && [.commit, .void, .relabel].contains(action) ? "ok without a record" : nil
    }
    guard isDone else { return "a record and a reason" }
    guard let id = weighing.text("id"), let sequence = weighing.integer("sequence"), let kind = weighing.text("kind"),
      let net = weighing.number("net_g"), let tare = weighing.number("tare_g")
    else { return "an incomplete record" }
    records.append(
      Record(
        view: view, id: id, sequence: sequence, kind: kind, net: net, tare: tare, label: weighing.text("label")))
    if kind == RecordedWeighing.Kind.weighing.rawValue { lastWeighing = id }
    return nil
  }

  /// What the journal says otherwise at the end of a life.
  func faults(in entries: [HistoryEntry], lost: RangeSet<Int>) -> [String] {
    var faults: [String] = []
    let known = Dictionary(entries.map { ($0.record.id.description, $0.record) }) { first, _ in first }
    for told in records where !lost.contains(told.sequence) {
      let found = known[told.id].map { record in
        Record(
          view: told.view, id: told.id, sequence: record.sequence, kind: record.kind.rawValue,
          net: Self.rounded(record.measurement.net.mass.value), tare: Self.rounded(record.measurement.tare.mass.value),
          label: record.label)
      }
      var rounded = told
      (rounded.net, rounded.tare) = (Self.rounded(told.net), Self.rounded(told.tare))
      if found != rounded { faults.append("\(rounded) was told, the journal has \(String(describing: found))") }
    }
    for entry in entries where entry.isStanding {
      for label in Set([entry.record.label, entry.label].compactMap(\.self)).sorted() {
        if let (asked, refused) = requests[label], asked == refused {
          faults.append("\(label) was refused, and #\(entry.record.sequence) stands with it")
        }
      }
    }
    return faults
  }

  /// How the list of the page differs from the journal in the weighings that stand; `nil` if it does not.
  static func fault(in page: RecentWeighings, _ entries: [HistoryEntry], lost: RangeSet<Int>) -> String? {
    let newest = RecentWeighings()
    newest.prepend(Array(entries.suffix(RecentWeighings.capacity)))
    // Equal lists need not be parsed.
    let (shown, recorded) = (page.json, newest.json)
    if shown == recorded { return nil }
    // What was lost, and what it has changed, is shown until the next start.
    var ignored = lost
    let all = [shown, recorded].map { Entry.list($0) }
    let lostIDs = Set(all[0].filter { lost.contains($0.sequence) }.map(\.id))
    for entry in all[0] where !lostIDs.isDisjoint(with: entry.changes) {
      ignored.insert(contentsOf: entry.sequence..<entry.sequence + 1)
    }
    let lists = all.map { list in
      list.filter { $0.isStanding && !ignored.contains($0.sequence) }.map { "#\($0.sequence) \($0.id) \($0.label)" }
    }
    // With more records than the page keeps, the older ones may differ.
    let count = entries.count > RecentWeighings.capacity ? min(lists[0].count, lists[1].count) : Int.max
    let (page, journal) = (lists[0].prefix(count), lists[1].prefix(count))
    return page == journal ? nil : "the page shows \(page), the journal has \(journal)"
  }

  /// An entry of the list of the page.
  private struct Entry {
    var sequence: Int
    var id: String
    var label: String
    /// The records that void or relabel it.
    var changes: [String]
    var isStanding: Bool

    static func list(_ json: [UInt8]) -> [Entry] {
      guard case .array(let entries)? = try? JSONValue(json, maximumBytes: json.count) else { return [] }
      return entries.compactMap { entry in
        guard let weighing = entry["weighing"], case .number(let sequence)? = weighing["sequence"] else { return nil }
        return Entry(
          sequence: Int(sequence), id: weighing["id"]?.text ?? "", label: entry["label"]?.text ?? "",
          changes: [entry["voided_by"]?.text, entry["relabelled_by"]?.text].compactMap(\.self),
          isStanding: weighing["kind"]?.text == "weighing" && entry["voided_by"] == .null)
      }
    }
  }

  private static func rounded(_ grams: Double) -> Double { (grams * 1000).rounded() / 1000 }
}
