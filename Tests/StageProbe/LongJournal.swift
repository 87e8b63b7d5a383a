import Foundation
import Journal
import Logging
import Weighing

/// A journal of many weighings, one a minute up to now, to measure the history with.
///
/// The labels are 20 names and none in turn. Each 100th weighing is voided and each 50th is relabelled, by records of their own. A
/// broker has acknowledged everything.
enum LongJournal {
  /// Makes it by recording one weighing after the other, as the appliance does. On a disk each of them is synced: a file system in
  /// memory is faster.
  static func make(path: String, count: Int) throws {
    let journal = Journal(.file(path), logger: Logger(label: "stage", factory: { _ in SwiftLogNoOpLogHandler() }))
    defer { journal.close() }
    let end = Int64(Date().timeIntervalSince1970) * 1_000_000_000
    var waiting: [Int] = []
    for number in 0..<count {
      let time = Instant(nanoseconds: end - Int64(count - number) * 60_000_000_000)
      let label = number % 21 == 20 ? nil : "sort \(number % 21 + 1)"
      let weighing = try journal.record(PreparedJournal.weighing(number % 380 + 1, label: label), at: time)
      waiting.append(weighing.sequence)
      for (isDue, kind) in [
        (number % 50 == 49, WeighingDraft.Kind.relabel(.id(weighing.id))),
        (number % 100 == 98, .void(.id(weighing.id))),
      ] where isDue {
        waiting.append(try journal.record(PreparedJournal.draft(kind, label: "other"), at: time).sequence)
      }
      if waiting.count >= 1000 || number == count - 1 {
        try journal.delivered(waiting)
        waiting.removeAll()
      }
    }
  }
}
