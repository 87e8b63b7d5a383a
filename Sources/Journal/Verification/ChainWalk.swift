import Languages
import Weighing

/// The expected state after the records so far, and the faults of the next record.
struct ChainWalk {
  /// The expected head after the last record.
  private(set) var head = Head()
  /// The losses in the audit trail.
  private(set) var losses: [JournalLoss] = []
  private var lastID: WeighingID?

  /// Checks the next record.
  mutating func step(_ stored: StoredLink) -> [Verification.Fault] {
    let sequence = stored.link.table == .weighings ? stored.link.values[1].integer : nil
    var faults: [Verification.Fault] = []
    func report(_ kind: Verification.Kind, _ sentence: Sentence) {
      faults.append(
        Verification.Fault(kind: kind, position: stored.position, sequence: sequence, sentence: sentence))
    }
    // Numbers of a damaged file can be anything, so that the additions here wrap around.
    let expected = head.position &+ 1
    if stored.position > expected {
      let last = stored.position - 1
      report(
        .missing,
        expected == last
          ? Sentence(.verifyRecordMissing, ["number": expected])
          : Sentence(.verifyRecordsMissing, ["from": expected, "to": last]))
    } else if stored.position < expected {
      report(.altered, Sentence(.verifyPosition, ["number": stored.position]))
    } else if !stored.link.isOfKnownVersion || stored.link.hash(after: head.hash) != stored.hash {
      report(.altered, Sentence(.verifyHash))
    }
    head.position = stored.position
    head.hash = stored.hash
    switch stored.link.table {
    case .weighings:
      if let record = RecordedWeighing(stored.link) {
        check(record).forEach { report(.inconsistent, $0) }
      } else {
        report(.altered, Sentence(.verifyInvalidWeighing))
      }
    case .audit:
      if let record = AuditRecord(stored.link) {
        check(record).forEach { report(.inconsistent, $0) }
      } else {
        report(.altered, Sentence(.verifyInvalidAudit))
      }
    }
    return faults
  }

  private mutating func check(_ record: RecordedWeighing) -> [Sentence] {
    var wrong: [Sentence] = []
    if record.sequence != head.sequence &+ 1 {
      wrong.append(Sentence(.verifySequence, ["number": record.sequence, "last": head.sequence]))
    }
    if record.calibrationCounter != head.counters[.calibration] ?? 0 {
      wrong.append(Sentence(.verifyCalibration, ["number": record.calibrationCounter]))
    }
    if let lastID, !record.id.follows(lastID, at: record.time) {
      wrong.append(Sentence(.verifyIdentifier))
    }
    head.sequence = record.sequence
    lastID = record.id
    return wrong
  }

  private mutating func check(_ record: AuditRecord) -> [Sentence] {
    var wrong: [Sentence] = []
    if record.position == 1, let base = record.entry.continuation {
      head.sequence = base.sequence
      for kind in AuditKind.allCases { head.counters[kind] = base.counters[kind.rawValue] ?? 0 }
    }
    if let loss = record.entry.loss {
      losses.append(loss)
      // Numbers above the last one are a gap, which has to start right there; others belong to another file.
      if loss.to > head.sequence {
        if loss.from > head.sequence &+ 1 {
          wrong.append(Sentence(.verifyLossAfter, ["number": loss.from, "last": head.sequence]))
        }
        head.sequence = loss.to
      }
    }
    if record.sequence != head.sequence {
      wrong.append(Sentence(.verifyLastWeighing, ["number": record.sequence]))
    }
    let counter = (head.counters[record.entry.kind] ?? 0) &+ 1
    if record.counter != counter {
      wrong.append(Sentence(.verifyCounter, ["number": record.counter, "expected": counter]))
    }
    head.counters[record.entry.kind] = record.counter
    return wrong
  }
}
