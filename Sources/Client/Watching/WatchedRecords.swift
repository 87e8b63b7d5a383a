import Languages
import Linux
import Messages
import Weighing

/// The newest weighings, voids and relabels of a remote appliance, and its last weighing that is not voided.
struct WatchedRecords: Hashable, Sendable {
  /// The kind of a record, and the identifier of the weighing it refers to.
  enum Kind: Hashable, Sendable {
    case weighing
    case void(of: String)
    case relabel(of: String)
  }

  /// A record, as it was published.
  struct Record: Hashable, Sendable {
    var id: String
    var sequence: Int
    var time: String
    var net: Double?
    var label: String?
    var kind: Kind
  }

  private struct Amendment: Hashable, Sendable {
    var sequence: Int
    var label: String?
  }

  /// The content of `weighing/last`.
  private enum Last: Hashable, Sendable {
    case unknown
    case none
    case weighing(Record)
  }

  /// Maximum number of records kept.
  static let capacity = 50

  /// The unit in which masses are shown.
  var unit = TerminalUnit()
  /// The records received on `weighing`, newest first.
  private(set) var newest: [Record] = []
  private var voided: Set<String> = []
  /// The labels set by relabels, by the identifier of the weighing.
  private var amendments: [String: Amendment] = [:]
  /// The numbers of weighings that an event names, by their identifier.
  private var numbers: [String: Int] = [:]
  private var last = Last.unknown

  // MARK: Receiving

  /// Adds a record from the topic `weighing`; ignores duplicates and invalid records.
  mutating func append(_ json: JSONValue) {
    guard let record = Record(json) else { return }
    switch record.kind {
    case .weighing: break
    case .void(let id): voided.insert(id)
    case .relabel(let id):
      if (amendments[id]?.sequence ?? 0) < record.sequence {
        amendments[id] = Amendment(sequence: record.sequence, label: record.label)
      }
    }
    guard !newest.contains(where: { $0.id == record.id }) else { return }
    let index = newest.firstIndex { $0.sequence < record.sequence } ?? newest.endIndex
    newest.insert(record, at: index)
    if newest.count > Self.capacity { newest.removeLast() }
    removeUnreferenced()
  }

  /// Remembers the number in an event `voided` or `relabelled`: the weighing may be older than the connection.
  mutating func setNumber(_ event: JSONValue) {
    guard let id = event["id"]?.text, let number = event["sequence"]?.number.flatMap({ Int(exactly: $0) }) else {
      return
    }
    if numbers.count >= 2 * Self.capacity { numbers = [:] }
    numbers[id] = number
  }

  /// Replaces the last weighing by the content of `weighing/last`; `nil` for the empty payload, when all weighings are
  /// voided.
  mutating func setLast(_ json: JSONValue?) {
    guard let json else {
      last = .none
      return
    }
    guard let record = Record(json) else { return }
    last = .weighing(record)
    if amendments[record.id] != nil { amendments[record.id]?.label = record.label }
    removeUnreferenced()
  }

  /// Drops the state of weighings that no remaining record refers to.
  private mutating func removeUnreferenced() {
    guard voided.count + amendments.count > 2 * Self.capacity else { return }
    var ids = Set(newest.map(\.weighing))
    if let standing { ids.insert(standing.id) }
    voided.formIntersection(ids)
    amendments = amendments.filter { ids.contains($0.key) }
  }

  // MARK: Display

  /// The newest weighing that is not voided, according to `weighing/last`; before that is received, according to the
  /// records.
  var standing: Record? {
    switch last {
    case .unknown: newest.first { $0.kind == .weighing && !voided.contains($0.id) }
    case .none: nil
    case .weighing(let record): record
    }
  }

  /// The weighing that a void without an identifier applies to: the newest one, even if it is already voided.
  var newestWeighing: Record? {
    [newest.first { $0.kind == .weighing }, standing].compactMap(\.self).max { $0.sequence < $1.sequence }
  }

  /// The newest records, at most `count`, newest first, including the last weighing that is not voided.
  func rows(_ count: Int) -> [Record] {
    guard count > 0 else { return [] }
    guard let standing, !newest.prefix(count).contains(where: { $0.id == standing.id }) else {
      return Array(newest.prefix(count))
    }
    return (newest.prefix(count - 1) + [standing]).sorted { $0.sequence > $1.sequence }
  }

  /// Whether a weighing is voided.
  func isVoided(_ record: Record) -> Bool { voided.contains(record.id) }

  /// The current label of a weighing.
  func label(of record: Record) -> String? {
    if let amendment = amendments[record.id] { return amendment.label }
    if case .weighing(let last) = last, last.id == record.id { return last.label }
    return record.label
  }

  /// A void or a relabel as text; `nil` for a weighing.
  func description(of record: Record, _ texts: Texts) -> String? {
    func name(_ id: String) -> String {
      if let number = known(id)?.sequence ?? numbers[id] { return "#\(number)" }
      guard let time = WeighingID(id)?.time else { return texts(.earlierWeighing) }
      return texts(.weighingOf, ["time": String(LocalMoment(time).text.dropLast(":00".count))])
    }
    switch record.kind {
    case .weighing: return nil
    case .void(let id):
      let mass = unit.text(known(id)?.net ?? record.net.map { 0 - $0 })
      return texts(.recordVoided, ["weighing": name(id), "mass": mass])
    case .relabel(let id):
      return record.label.map { texts(.recordRelabelled, ["weighing": name(id), "label": $0]) }
        ?? texts(.recordUnlabelled, ["weighing": name(id)])
    }
  }

  private func known(_ id: String) -> Record? {
    newest.first { $0.id == id } ?? standing.flatMap { $0.id == id ? $0 : nil }
  }
}

extension WatchedRecords.Record {
  /// Parses a weighing; `nil` if a required field is missing.
  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.text, let time = json["time"]?.text, let sequence = json["sequence"]?.number,
      let sequence = Int(exactly: sequence)
    else { return nil }
    let (voids, amends) = (json["voids"]?.text, json["amends"]?.text)
    switch (json["kind"]?.text, voids, amends) {
    case ("void", let voided?, _): kind = .void(of: voided)
    case ("relabel", _, let amended?): kind = .relabel(of: amended)
    case ("weighing", _, _): kind = .weighing
    default: return nil
    }
    (self.id, self.sequence, self.time) = (id, sequence, time)
    net = json["net_g"]?.number
    label = json["label"]?.text
  }

  /// The weighing that the record is or refers to.
  fileprivate var weighing: String {
    switch kind {
    case .weighing: id
    case .void(let id), .relabel(let id): id
    }
  }
}
