import Weighing

extension Journal {
  /// Records a draft; returns the outcome, and the reason if the journal could not record it.
  ///
  /// - Parameters:
  ///   - time: The time of day.
  ///   - clock: Whether the clock that provided the time is synchronised.
  package func outcome(
    of draft: WeighingDraft, at time: Instant, clock: ClockState
  ) -> (outcome: RecordOutcome, fault: JournalError?) {
    do throws(JournalError) {
      let (record, last, subject) = try append(draft, at: time, clock: clock)
      return (RecordOutcome(draft: draft, result: .success(record), last: last, subject: subject), nil)
    } catch .nothingToVoid {
      return (RecordOutcome(draft: draft, result: .failure(.nothingToVoid)), nil)
    } catch .unknownWeighing {
      return (RecordOutcome(draft: draft, result: .failure(.unknownWeighing)), nil)
    } catch {
      return (RecordOutcome(draft: draft, result: .failure(.journalUnavailable)), error)
    }
  }
}
