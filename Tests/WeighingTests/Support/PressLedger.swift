import Weighing

extension RejectionDetail {
  /// Whether it says what went wrong with a press, and not with its action.
  var isOfPress: Bool {
    switch self {
    case .forceTooSteady, .pressTooLong, .pressInterrupted, .thirdPress, .pressReconfigured, .unequalPresses,
      .pressNotHeldStill, .pressLeftZone, .eventsLost, .loadChanged, .pairingOver:
      true
    default: false
    }
  }
}

/// Compares what was shown of presses with what came of them.
struct PressLedger {
  private(set) var faults: [String] = []
  /// The presses that ended while they were shown as confirmed.
  private(set) var confirmed = 0
  /// The actions that fired, whether or not they could be carried out.
  private(set) var fired = 0
  /// The sentences of the rejections.
  private(set) var details: Set<String> = []
  /// What was seen, for a fault.
  private(set) var course: [String] = []
  private var isTareDouble = true
  private var isConfirmed = false
  /// The number of confirmed presses that the actions account for, at least and at most.
  private var explained = 0...0
  private var (rejections, events) = (0, 0)

  /// Forgets what was seen before the press.
  ///
  /// - Parameter tareIsDouble: Whether a tare is made by two presses.
  mutating func begin(tareIsDouble: Bool) {
    self = PressLedger()
    isTareDouble = tareIsDouble
  }

  mutating func observe(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .gesture(let report):
        if report.state == .confirmed {
          isConfirmed = true
        } else if isConfirmed {
          isConfirmed = false
          if report.state == .idle || report.state == .unavailable { confirmed += 1 }
        }
        if course.last != "\(report.state)" { course.append("\(report.state)") }
      case .record(let draft): account(for: draft.request.name, nil)
      case .result(let result):
        if result.rejection != nil { rejections += 1 }
        account(for: result.request.name, result.detail)
      case .event(let event): if case .rejected = event.kind { events += 1 }
      case .live, .reading, .settled, .contacts, .control, .feedback, .weighing, .lastWeighing, .actions, .memory,
        .padWarning, .sampling, .containers, .containerChange, .pendingLabel, .output, .learnedStops,
        .learnedStopChange:
        break
      }
    }
    // The report of the end may follow the action.
    if explained.lowerBound > confirmed + (isConfirmed ? 1 : 0) { faults.append("not shown as confirmed") }
  }

  /// Two presses on a load are one tare; the second alone may fail, too.
  private mutating func account(for action: String, _ detail: RejectionDetail?) {
    course.append("\(action) \(detail.map { "\($0)" } ?? "fired")")
    let presses =
      switch detail {
      case _ where action != "tare" || !isTareDouble: 1...1
      case nil, .thirdPress: 2...2
      case let detail? where detail.isOfPress: 1...1
      case _: 1...2
      }
    explained = explained.lowerBound + presses.lowerBound...explained.upperBound + presses.upperBound
    if let detail { details.insert("\(detail)") } else { fired += 1 }
  }

  mutating func end() {
    if isConfirmed { faults.append("still shown as confirmed") }
    if !explained.contains(confirmed) { faults.append("\(confirmed) confirmed, \(explained) explained") }
    if events != rejections { faults.append("\(events) events for \(rejections) rejections") }
  }
}
