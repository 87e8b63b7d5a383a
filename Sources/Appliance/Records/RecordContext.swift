import Configuration
import Journal
import Weighing

/// The part of the configuration that the journal needs.
struct RecordContext: Hashable, Sendable {
  /// Identifies the whole configuration.
  var configurationHash: String
  /// Identifies the calibration.
  var calibrationHash: String
  /// The number of weighings that the zone `history` reaches; `nil` without one.
  var historyDepth: Int?
}

extension Configuration {
  /// The part of this configuration that the journal needs.
  var recordContext: RecordContext {
    var calibrated = Configuration()
    calibrated.calibration = calibration
    return RecordContext(
      configurationHash: fingerprint, calibrationHash: calibrated.fingerprint,
      historyDepth: pad.zones.contains { $0.purpose == .history } ? history.depth : nil)
  }
}

extension JournalLocation {
  /// The path, or `memory`.
  var text: String {
    switch self {
    case .file(let path): path
    case .memory: "memory"
    }
  }
}

extension Journal {
  /// Records a draft; returns the outcome, and the reason if the journal could not record it.
  ///
  /// - Parameters:
  ///   - time: The time of day.
  ///   - clock: Whether the clock that provided the time is synchronised.
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
