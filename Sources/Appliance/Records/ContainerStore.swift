import Journal
import Weighing

/// Stores the changes of the containers in the journal's file.
///
/// The scale does not wait for the disk: a change is in force at once, and is stored as soon as the journal can be
/// written. Until then the latest change of each container waits, and a removal only if the container is on disk, so
/// that at most twice `Container.maximumStored` changes wait.
struct ContainerStore {
  private struct Change {
    var name: ContainerName
    /// The tare; `nil` to remove the container.
    var tare: Grams?
    /// The time of the change, since 1970 in UTC.
    var time: Instant
  }

  /// The changes that are not on disk, the oldest first.
  private var changes: [Change] = []
  /// The containers on disk and in `changes`.
  private var containers: [Container] = []
  /// The names on disk; `nil` until they were read.
  private var stored: Set<ContainerName>?

  /// The number of changes that still have to be stored.
  var pendingCount: Int { changes.count }

  /// Whether a change still has to be stored.
  var isPending: Bool { !changes.isEmpty }

  /// Reads the containers of earlier runs; changes that wait are newer.
  mutating func restore(from journal: Journal) throws(JournalError) -> [Container] {
    let read = try journal.containers()
    stored = Set(read.map(\.name))
    let newer = Set(containers.map(\.name)).union(changes.map(\.name))
    containers = read.filter { !newer.contains($0.name) } + containers
    return read
  }

  /// Adds a change; it replaces one of the same container that is not on disk yet.
  mutating func append(_ name: ContainerName, _ tare: Grams?, at time: Instant) {
    changes.removeAll { $0.name == name }
    containers.removeAll { $0.name == name }
    if let tare {
      containers.append(Container(name: name, tare: tare))
    } else if let stored {
      guard stored.contains(name) else { return }
    } else if changes.count(where: { $0.tare == nil }) >= Container.maximumStored,
      let oldest = changes.firstIndex(where: { $0.tare == nil })
    {
      // The journal could not be read since the start, so that any name may be on disk.
      changes.remove(at: oldest)
    }
    changes.append(Change(name: name, tare: tare, time: time))
  }

  /// Marks all containers to be stored again, because the journal has a new file.
  mutating func repeatStore(at time: Instant) {
    stored = []
    changes.removeAll { $0.tare == nil }
    for container in containers where !changes.contains(where: { $0.name == container.name }) {
      changes.append(Change(name: container.name, tare: container.tare, time: time))
    }
  }

  /// Stores the changes; after a failure, the next call continues.
  mutating func store(in journal: Journal, _ errors: inout JournalErrors) {
    while let change = changes.first {
      let isStored = errors.write { () throws(JournalError) in
        try journal.store(change.name, tare: change.tare, at: change.time)
      }
      guard isStored else { return }
      changes.removeFirst()
      if change.tare == nil { stored?.remove(change.name) } else { stored?.insert(change.name) }
    }
  }
}
