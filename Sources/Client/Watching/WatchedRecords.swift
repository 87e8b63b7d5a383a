import Messages
import Weighing

/// The newest weighings, voids and relabels of an appliance elsewhere, and its last weighing that is not voided.
struct WatchedRecords: Hashable, Sendable {
  /// What a record is, and the identifier of the weighing that it is about.
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

  /// What `weighing/last` says.
  private enum Last: Hashable, Sendable {
    case unknown
    case none
    case weighing(Record)
  }

  /// Maximum number of records kept.
  static let capacity = 50

  /// The records received on `weighing`, the newest first.
  private(set) var newest: [Record] = []
  private var voided: Set<String> = []
  /// The labels set by relabels, by the weighing that they are about.
  private var amendments: [String: Amendment] = [:]
  private var last = Last.unknown

  // MARK: What is received

  /// Adds a record from the topic `weighing`; one that is there already, or does not read as a record, changes nothing.
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
    forget()
  }

  /// Replaces the last weighing by what the topic `weighing/last` says; `nil` for its empty payload: no weighing is left that
  /// is not voided.
  mutating func setLast(_ json: JSONValue?) {
    guard let json else {
      last = .none
      return
    }
    guard let record = Record(json) else { return }
    last = .weighing(record)
    if amendments[record.id] != nil { amendments[record.id]?.label = record.label }
    forget()
  }

  /// Drops what is known of weighings that no record is about any more.
  private mutating func forget() {
    guard voided.count + amendments.count > 2 * Self.capacity else { return }
    var ids = Set(newest.map(\.weighing))
    if let standing { ids.insert(standing.id) }
    voided.formIntersection(ids)
    amendments = amendments.filter { ids.contains($0.key) }
  }

  // MARK: What is shown

  /// The newest weighing that is not voided, as `weighing/last` says; before it says anything, as the records do.
  var standing: Record? {
    switch last {
    case .unknown: newest.first { $0.kind == .weighing && !voided.contains($0.id) }
    case .none: nil
    case .weighing(let record): record
    }
  }

  /// The weighing that a void without an identifier is about: the newest one, also when it is voided already.
  var newestWeighing: Record? {
    [newest.first { $0.kind == .weighing }, standing].compactMap(\.self).max { $0.sequence < $1.sequence }
  }

  /// The newest records, at most `count`, the newest first, with the standing weighing among them.
  func rows(_ count: Int) -> [Record] {
    guard count > 0 else { return [] }
    guard let standing, !newest.prefix(count).contains(where: { $0.id == standing.id }) else {
      return Array(newest.prefix(count))
    }
    return (newest.prefix(count - 1) + [standing]).sorted { $0.sequence > $1.sequence }
  }

  /// Whether a weighing is voided.
  func isVoided(_ record: Record) -> Bool { voided.contains(record.id) }

  /// The label of a weighing, as amended.
  func label(of record: Record) -> String? {
    if let amendment = amendments[record.id] { return amendment.label }
    if case .weighing(let last) = last, last.id == record.id { return last.label }
    return record.label
  }

  /// A void or a relabel in words; `nil` for a weighing.
  func words(_ record: Record) -> String? {
    switch record.kind {
    case .weighing: nil
    case .void(let id): "voided \(name(id)) (net \(Self.mass(known(id)?.net ?? record.net.map { 0 - $0 })))"
    case .relabel(let id):
      record.label.map { "relabelled \(name(id)) as \($0)" } ?? "removed the label of \(name(id))"
    }
  }

  /// A mass with its unit, with the digits that the payload had.
  static func mass(_ grams: Double?) -> String { WatchedScale.mass(grams.map(JSONValue.number)) + " g" }

  private func name(_ id: String) -> String { known(id).map { "#\($0.sequence)" } ?? "an earlier weighing" }

  private func known(_ id: String) -> Record? {
    newest.first { $0.id == id } ?? standing.flatMap { $0.id == id ? $0 : nil }
  }
}

extension WatchedRecords.Record {
  /// Reads a Weighing; `nil` where a field that is needed is missing.
  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.text, let time = json["time"]?.text, let sequence = json["sequence"]?.number,
      let sequence = Int(exactly: sequence)
    else { return nil }
    let (voids, amends) = (json["voids"]?.text, json["amends"]?.text)
    // Earlier versions publish no `kind`.
    switch (json["kind"]?.text, voids, amends) {
    case ("void", let voided?, _), (nil, let voided?, _): kind = .void(of: voided)
    case ("relabel", _, let amended?), (nil, nil, let amended?): kind = .relabel(of: amended)
    case ("weighing", _, _), (nil, nil, nil): kind = .weighing
    default: return nil
    }
    self.id = id
    self.sequence = sequence
    self.time = time
    net = json["net_g"]?.number
    label = json["label"]?.text
  }

  /// The weighing that it is, or is about.
  fileprivate var weighing: String {
    switch kind {
    case .weighing: id
    case .void(let id), .relabel(let id): id
    }
  }
}
