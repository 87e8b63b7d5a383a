/// Passes the output of the journal to the other parts; called on the journal's thread, never waits.
struct JournalOutputRouter: Sendable {
  let loop: WeighingLoop
  let publisher: Publisher
  let report: ServiceReport
  /// `nil` if the dashboard is disabled.
  let web: DashboardService?

  /// Passes on an output.
  func route(_ output: JournalOutput) {
    switch output {
    case .outcome(let outcome): loop.send(.recorded(outcome))
    case .last(let record): publisher.publish(last: record)
    case .standing(let weighings): loop.send(.history(weighings))
    case .clock(let clock): publisher.updateHealth { $0.clock = clock }
    case .memory(let memory): loop.send(.restore(memory))
    case .containers(let containers): loop.send(.restoreContainers(containers))
    case .stops(let stops): loop.send(.restoreStops(stops))
    case .recent(let entries): web?.addHistory(entries)
    case .health(let journal, let outbox, let sequence):
      publisher.updateHealth { ($0.journal, $0.outbox, $0.journalSequence) = (journal, outbox, sequence) }
      report.markReady(.journal)
    case .incident(.loss(let loss)): loop.send(.journalLost(from: loss.from, to: loss.to))
    case .incident(.recovery(let recovery)): loop.send(.journalRecovered(recovery.id, sequence: recovery.sequence))
    case .sequenceCompared: publisher.releaseHealth()
    case .resent(let answer): publisher.publish(answer)
    }
  }
}
