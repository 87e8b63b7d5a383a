import Journal
import Languages
import Linux
import Messages
import Weighing

/// Formats the records of a journal, its audit trail and the result of its verification; see also `HistoryTable`.
package enum JournalListing {
  /// Writes the records as a JSON array in the published format, one per line.
  package static func json(_ snapshot: HistorySnapshot, write: ([UInt8]) throws -> Void) throws {
    var json = JSONWriter()
    try write(Array("[".utf8))
    var isEmpty = true
    try snapshot.forEach { entry in
      json.reset()
      json.weighing(entry.record, historical: false)
      try write(Array((isEmpty ? "\n" : ",\n").utf8) + json.bytes)
      isEmpty = false
    }
    try write(Array((isEmpty ? "]\n" : "\n]\n").utf8))
  }

  /// What was checked and the faults found, one per line.
  package static func text(of verification: Verification, texts: Texts = .english) -> String {
    var lines = verification.losses.map { Sentence(.verifyReported, ["loss": $0.sentence]) }
    if verification.isMarkDamaged { lines.append(Sentence(.verifyMark)) }
    lines += verification.faults.map(line)
    let faults = verification.faults.count
    let result =
      faults > 0
      ? Sentence(.verifyFaults, count: faults)
      : Sentence(verification.losses.isEmpty ? .verifyIntact : .verifyUnaltered)
    lines.append(
      Sentence(.verifyChecked, ["weighings": verification.weighings, "audits": verification.audits, "result": result]))
    return texts(.lines(lines)) + "\n"
  }

  private static func line(_ fault: Verification.Fault) -> Sentence {
    let kind = Sentence(fault.kind.word)
    if let number = fault.sequence {
      return Sentence(.verifyFaultOfWeighing, ["kind": kind, "number": number, "fault": fault.sentence])
    }
    if let number = fault.position {
      return Sentence(.verifyFaultOfRecord, ["kind": kind, "number": number, "fault": fault.sentence])
    }
    return Sentence(.verifyFault, ["kind": kind, "fault": fault.sentence])
  }

  /// The line of an entry of the audit trail.
  package static func line(of record: AuditRecord) -> String {
    let time = LocalMoment(record.time)
    return "\(time.text) \(time.zone)  \(record.entry.kind.rawValue) \(record.counter)  \(record.entry.detail)\n"
  }
}

extension Verification.Kind {
  /// The word for the kind.
  fileprivate var word: TextKey {
    switch self {
    case .damaged: .verifyDamaged
    case .schema: .verifySchema
    case .altered: .verifyAltered
    case .missing: .verifyMissing
    case .inconsistent: .verifyInconsistent
    case .head: .verifyHead
    }
  }
}
