import Journal
import Weighing

/// Something that the journal's file stores by a name, next to the records.
protocol NamedItem: Sendable {
  associatedtype Name: Hashable, Sendable

  /// The name.
  var name: Name { get }
  /// The maximum number that is stored.
  static var maximumStored: Int { get }
  /// Those of earlier runs.
  static func all(in journal: Journal) throws(JournalError) -> [Self]
  /// Stores one instead of the one with this name, or removes it: `nil`.
  static func store(_ item: Self?, as name: Name, in journal: Journal, at time: Instant) throws(JournalError)
}

extension Container: NamedItem {
  static func all(in journal: Journal) throws(JournalError) -> [Container] { try journal.containers() }

  static func store(
    _ item: Container?, as name: ContainerName, in journal: Journal, at time: Instant
  ) throws(JournalError) {
    try journal.store(name, tare: item?.tare, at: time)
  }
}

extension LearnedStop: NamedItem {
  var name: String { label }
  static var maximumStored: Int { maximumLabels }

  static func all(in journal: Journal) throws(JournalError) -> [LearnedStop] { try journal.learnedStops() }

  static func store(
    _ item: LearnedStop?, as name: String, in journal: Journal, at time: Instant
  ) throws(JournalError) {
    try journal.store(item ?? LearnedStop(label: name, samples: []))
  }
}

/// Stores the changes of containers, or of what was learned about stops, in the journal's file.
///
/// The scale does not wait for the disk: a change is in force at once, and is stored as soon as the journal can be
/// written. Until then the latest change of each item waits, and a removal only if the item is on disk, so that at most
/// twice `maximumStored` changes wait.
struct NamedStore<Item: NamedItem> {
  private struct Change {
    var name: Item.Name
    /// The item; `nil` to remove it.
    var item: Item?
    /// The time of the change, since 1970 in UTC.
    var time: Instant
  }

  /// The changes that are not on disk, the oldest first.
  private var changes: [Change] = []
  /// The items on disk and in `changes`.
  private var items: [Item] = []
  /// The names on disk; `nil` until they were read.
  private var stored: Set<Item.Name>?

  /// The number of changes that still have to be stored.
  var pendingCount: Int { changes.count }

  /// Whether a change still has to be stored.
  var isPending: Bool { !changes.isEmpty }

  /// Reads the items of earlier runs; changes that wait are newer.
  mutating func restore(from journal: Journal) throws(JournalError) -> [Item] {
    let read = try Item.all(in: journal)
    stored = Set(read.map(\.name))
    let newer = Set(items.map(\.name)).union(changes.map(\.name))
    items = read.filter { !newer.contains($0.name) } + items
    return read
  }

  /// Adds a change; it replaces one of the same item that is not on disk yet.
  mutating func append(_ name: Item.Name, _ item: Item?, at time: Instant) {
    changes.removeAll { $0.name == name }
    items.removeAll { $0.name == name }
    if let item {
      items.append(item)
    } else if let stored {
      guard stored.contains(name) else { return }
    } else if changes.count(where: { $0.item == nil }) >= Item.maximumStored,
      let oldest = changes.firstIndex(where: { $0.item == nil })
    {
      // The journal could not be read since the start, so that any name may be on disk.
      changes.remove(at: oldest)
    }
    changes.append(Change(name: name, item: item, time: time))
  }

  /// Marks all items to be stored again, because the journal has a new file.
  mutating func repeatStore(at time: Instant) {
    stored = []
    changes.removeAll { $0.item == nil }
    for item in items where !changes.contains(where: { $0.name == item.name }) {
      changes.append(Change(name: item.name, item: item, time: time))
    }
  }

  /// Stores the changes; after a failure, the next call continues.
  mutating func store(in journal: Journal, _ errors: inout JournalErrors) {
    while let change = changes.first {
      let isStored = errors.write { () throws(JournalError) in
        try Item.store(change.item, as: change.name, in: journal, at: change.time)
      }
      guard isStored else { return }
      changes.removeFirst()
      if change.item == nil { stored?.remove(change.name) } else { stored?.insert(change.name) }
    }
  }
}
