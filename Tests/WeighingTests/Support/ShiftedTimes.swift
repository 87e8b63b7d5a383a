import Weighing

extension ActionRequest {
  /// The same, so much later.
  func shifted(by interval: Interval) -> ActionRequest {
    var request = self
    request.expiry = expiry.map { $0 + interval }
    return request
  }
}

extension ScaleMachine.Input {
  /// The same, so much later.
  func shifted(by interval: Interval) -> ScaleMachine.Input {
    switch self {
    case .request(let request): .request(request.shifted(by: interval))
    case .replaceActions(let list, let request): .replaceActions(list, request.shifted(by: interval))
    case .padFound, .padLost, .frame, .button, .recorded, .settings, .journalLost, .journalRecovered, .refresh,
      .restore,
      .restoreContainers, .restoreStops, .connection, .outputRefused, .history, .shutdown, .pairing, .scanned:
      self
    }
  }
}

extension Reading {
  /// The same, so much later.
  func shifted(by interval: Interval) -> Reading {
    var reading = self
    reading.time = time + interval
    return reading
  }
}

extension Effect {
  /// The same, so much later.
  func shifted(by interval: Interval) -> Effect {
    switch self {
    case .live(let reading): return .live(reading.shifted(by: interval))
    case .reading(let reading): return .reading(reading.shifted(by: interval))
    case .settled(let reading): return .settled(reading.shifted(by: interval))
    case .contacts(var report):
      report.time = report.time + interval
      return .contacts(report)
    case .event(var event):
      event.time = event.time + interval
      return .event(event)
    case .result(var result):
      result.time = result.time + interval
      result.reading = result.reading.shifted(by: interval)
      result.request = result.request.shifted(by: interval)
      if let time = result.weighing?.time { result.weighing?.time = time + interval }
      return .result(result)
    case .gesture(var report):
      report.time = report.time + interval
      if let reading = report.preview?.reading { report.preview = .reading(reading.shifted(by: interval)) }
      return .gesture(report)
    case .control(var report):
      report.time = report.time + interval
      return .control(report)
    case .memory(let memory, let time): return .memory(memory, at: time + interval)
    case .padWarning(let warning, let time): return .padWarning(warning, at: time + interval)
    case .sampling(let report, let time): return .sampling(report, at: time + interval)
    case .feedback(let feedback, let time): return .feedback(feedback, at: time + interval)
    case .actions(let list, let time): return .actions(list, at: time + interval)
    case .containers(let list, let time): return .containers(list, at: time + interval)
    case .containerChange(let name, let tare, let time): return .containerChange(name, tare, at: time + interval)
    case .output(let change, let time): return .output(change, at: time + interval)
    case .learnedStops(let stops, let time): return .learnedStops(stops, at: time + interval)
    case .learnedStopChange(let stop, let time): return .learnedStopChange(stop, at: time + interval)
    case .pendingLabel(let label, let time): return .pendingLabel(label, at: time + interval)
    case .weighing(var record, let time):
      record.time = record.time + interval
      return .weighing(record, at: time + interval)
    case .lastWeighing(var record, let isHistorical, let time):
      if let recorded = record?.time { record?.time = recorded + interval }
      return .lastWeighing(record, isHistorical: isHistorical, at: time + interval)
    case .record(var draft):
      draft.time = draft.time + interval
      draft.labelExpiry = draft.labelExpiry.map { $0 + interval }
      draft.request = draft.request.shifted(by: interval)
      return .record(draft)
    }
  }
}
