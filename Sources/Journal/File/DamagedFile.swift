import GRDB
import Glibc
import Weighing

/// A file that cannot be used any more, but is kept.
struct DamagedFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Moves it to `NAME.corrupt-YYYYMMDDTHHMMSSZ`, with `-wal` and `-shm`, never over another file.
  ///
  /// - Returns: The new name; `nil` if it could not be moved. `rename(2)`
  func moveAside() -> String? {
    let base = "\(path).corrupt-\(Self.stamp(Self.now()))"
    for attempt in 1...100 {
      let aside = attempt == 1 ? base : "\(base)-\(attempt)"
      if ["", "-wal", "-shm"].contains(where: { access(aside + $0, F_OK) == 0 }) { continue }
      guard rename(path, aside) == 0 else { return nil }
      for suffix in ["-wal", "-shm"] { _ = rename(path + suffix, aside + suffix) }
      return aside
    }
    return nil
  }

  /// The time of day. `clock_gettime(2)`
  static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// `20260301T120000Z`
  private static func stamp(_ time: Instant) -> String {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    return digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2) + "T"
      + digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2) + "Z"
  }
}

extension Remains {
  /// Whatever can still be read; each thing on its own, so that one bad page does not hide the others.
  init(of queue: DatabaseQueue?, reason: String) {
    self.init(reason: reason)
    func read<T>(_ work: (Database) throws -> T?) -> T? {
      guard let queue else { return nil }
      return try? queue.unsafeRead(work)
    }
    if let head = read(Head.fetch) {
      sequence = head.sequence
      counters = head.counters
      hash = head.hash.text
    }
    let last = read { try Int.fetchOne($0, sql: "SELECT max(sequence) FROM weighings") }
    sequence = max(sequence, last ?? 0, read { try Int.fetchOne($0, sql: "SELECT max(sequence) FROM outbox") } ?? 0)
    for kind in AuditKind.allCases {
      let counter = read {
        try Int.fetchOne($0, sql: "SELECT max(counter) FROM audit WHERE kind = ?", arguments: [kind.rawValue])
      }
      counters[kind] = max(counters[kind] ?? 0, counter ?? 0)
    }
  }
}
