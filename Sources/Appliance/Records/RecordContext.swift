import Configuration
import Journal
import Weighing

/// What of the configuration is kept with every record.
struct RecordContext: Hashable, Sendable {
  /// Tells the whole configuration.
  var configurationHash: String
  /// Tells the calibration.
  var calibrationHash: String
}

extension Configuration {
  /// What of this configuration is kept with every record.
  var recordContext: RecordContext {
    var calibrated = Configuration()
    calibrated.calibration = calibration
    return RecordContext(configurationHash: fingerprint, calibrationHash: calibrated.fingerprint)
  }
}

extension JournalPlace {
  /// The path, or `memory`.
  var text: String {
    switch self {
    case .file(let path): path
    case .memory: "memory"
    }
  }
}

extension Journal {
  /// Records a draft: what became of it, and why the journal could not take it where it could not.
  ///
  /// - Parameters:
  ///   - time: The time of day.
  ///   - clock: Whether the clock that it was taken from is synchronised.
  func outcome(
    of draft: WeighingDraft, at time: Instant, clock: ClockState
  ) -> (outcome: RecordOutcome, fault: JournalError?) {
    do throws(JournalError) {
      let (record, last) = try append(draft, at: time, clock: clock)
      return (RecordOutcome(draft: draft, result: .success(record), last: last), nil)
    } catch .nothingToVoid {
      return (RecordOutcome(draft: draft, result: .failure(.nothingToVoid)), nil)
    } catch .unknownWeighing {
      return (RecordOutcome(draft: draft, result: .failure(.unknownWeighing)), nil)
    } catch {
      return (RecordOutcome(draft: draft, result: .failure(.journalUnavailable)), error)
    }
  }
}
