import Foundation
import GRDB
import Logging
import Weighing

@testable import Journal

/// A folder that goes away with the value.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String = "grampad.db") -> String { "\(path)/\(name)" }

  /// What is in it, sorted.
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

extension Journal {
  static func at(_ path: String) -> Journal { Journal(.file(path), logger: quiet) }
}

extension Journal {
  /// The losses among the incidents found since the last call.
  func removeLosses() -> [JournalLoss] {
    removeIncidents().compactMap { if case .loss(let loss) = $0 { loss } else { nil } }
  }
}

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Returns the time that is `seconds` after the start of 2026.
func moment(_ seconds: Double = 0) -> Instant { Instant(nanoseconds: 1_767_225_600_000_000_000) + .seconds(seconds) }

/// A weighing with this net weight in grams.
func weighing(_ grams: Int, label: String? = nil, source: ActionSource = .pad) -> WeighingDraft {
  let division = Division.gram
  let measurement = Weighing.Measurement(
    gross: DisplayedMass(steps: grams + 20, division: division), tare: DisplayedMass(steps: 20, division: division),
    net: DisplayedMass(steps: grams, division: division), uncertainty: Grams(0.25), calibration: .user)
  return WeighingDraft(
    request: ActionRequest(action: .commit, source: source), kind: .weighing(measurement), label: label,
    time: Instant(nanoseconds: 1))
}

/// That the last weighing is voided.
let void = voiding(.last)

/// That a weighing is voided.
func voiding(_ reference: WeighingReference) -> WeighingDraft {
  WeighingDraft(
    request: ActionRequest(action: .void, source: .mqtt), kind: .void(reference), label: nil,
    time: Instant(nanoseconds: 2))
}

/// That the last weighing has another label.
func relabel(_ label: String?) -> WeighingDraft { relabel(.last, label) }

/// That a weighing has another label.
func relabel(_ reference: WeighingReference, _ label: String?) -> WeighingDraft {
  WeighingDraft(
    request: ActionRequest(action: .relabel, source: .mqtt), kind: .relabel(reference), label: label,
    time: Instant(nanoseconds: 3))
}

/// Runs SQL on a file as someone with a database editor would, past all triggers and constraints.
@discardableResult
func tamper(_ path: String, _ statements: String...) throws -> Int {
  var configuration = GRDB.Configuration()
  configuration.foreignKeysEnabled = false
  let queue = try DatabaseQueue(path: path, configuration: configuration)
  defer { try? queue.close() }
  return try queue.writeWithoutTransaction { db in
    let triggers = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    try db.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF")
    for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger["name"] as String)") }
    var changes = 0
    for statement in statements {
      try db.execute(sql: statement)
      changes += db.changesCount
    }
    for trigger in triggers { try db.execute(sql: trigger["sql"]) }
    try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    return changes
  }
}

/// A journal in order with `count` weighings and every kind of audit entry; closed.
func sample(_ path: String, count: Int = 6) throws {
  let journal = Journal.at(path)
  try journal.begin(configurationHash: "c1", calibrationHash: "k1", at: moment())
  for number in 1...count {
    _ = try journal.record(weighing(number * 10, label: number % 2 == 0 ? "flour" : nil), at: moment(Double(number)))
    if number == 2 { try journal.append(.zero, at: moment(2.5)) }
    if number == 3 { _ = try journal.record(void, at: moment(3.5)) }
    if number == 4 { try journal.begin(configurationHash: "c2", calibrationHash: "k2", at: moment(4.5)) }
  }
}
