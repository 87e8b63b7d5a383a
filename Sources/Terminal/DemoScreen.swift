import Glibc
import Languages
import Synchronization
import Weighing

/// The output of `demo`: on a terminal a status line that is overwritten, with the events above it; otherwise plain lines.
package final class DemoScreen: Sendable {
  private let output: Int32
  private let isTerminal: Bool
  private let program: String
  private let texts: Texts
  private let onClosed: @Sendable () -> Void
  private let state = Mutex(State())

  /// The content of the status line.
  private struct State: Sendable {
    /// The ports of the page and the broker, once known.
    var page: UInt16?
    var broker: UInt16?
    /// Whether the greeting is or has been printed.
    var isGreeting = false
    /// Whether it has been printed; nothing else is shown before.
    var hasGreeted = false
    /// Whether the output has lost its reader.
    var isClosed = false
    var weight = ""
    var ring = ""
    var press = GestureReport.State.idle
    var display = DisplayUnit(.gram, division: .gram)

    var line: String { weight + ring }
  }

  /// Makes a screen that shows nothing yet.
  ///
  /// - Parameters:
  ///   - output: Where to write.
  ///   - program: The name of the program in the example of a command.
  ///   - texts: The texts in the language of the user.
  ///   - onClosed: Called when the reader of the output has exited, or the terminal was closed.
  package init(
    output: Int32 = STDOUT_FILENO, program: String, texts: Texts = .english, onClosed: @escaping @Sendable () -> Void
  ) {
    (self.output, self.program, self.texts, self.onClosed) = (output, program, texts, onClosed)
    isTerminal = isatty(output) == 1
  }

  /// Sets the port of the broker on 127.0.0.1.
  package func setBrokerPort(_ port: UInt16) {
    state.withLock { $0.broker = port }
    greetOnce()
  }

  /// Sets the port of the page on 127.0.0.1.
  package func setPagePort(_ port: UInt16) {
    state.withLock { $0.page = port }
    greetOnce()
  }

  /// Prints the greeting with the addresses as soon as both ports are known.
  private func greetOnce() {
    let ports: (page: UInt16, broker: UInt16)? = state.withLock { state in
      guard !state.isGreeting, let page = state.page, let broker = state.broker else { return nil }
      state.isGreeting = true
      return (page, broker)
    }
    guard let (page, broker) = ports else { return }
    put(
      """
      \(texts(.demoGreeting))

        \(texts(.demoPage))  http://127.0.0.1:\(page)/
        MQTT:  mosquitto_sub -h 127.0.0.1 -p \(broker) -v -t 'grampad/#'

      \(texts(.demoRecord))

        \(program) commit --label beans --broker mqtt://127.0.0.1:\(broker)

      \(texts(.demoStop))


      """)
    state.withLock { $0.hasGreeted = true }
  }

  /// Clears the status line while `write` writes a log line to the same terminal, then redraws it.
  package func pausingStatus(_ write: () -> Void) {
    let line = state.withLock { $0.hasGreeted ? $0.line : "" }
    if isTerminal, !line.isEmpty { put("\r\u{1b}[K") }
    write()
    if isTerminal, !line.isEmpty { put(line) }
  }

  /// Shows an effect. Called on the weighing thread: if the terminal does not read, the line is dropped.
  package func show(_ effect: Effect) {
    switch effect {
    case .live(let reading):
      state.withLock { state in
        state.weight = line(of: reading)
        state.display = DisplayUnit(reading.unit, division: reading.tare.division)
      }
      showStatus()
    case .gesture(let report):
      let ring = text(of: report)
      let hasChanged = state.withLock { state in
        defer { (state.ring, state.press) = (ring, report.state) }
        return state.press != report.state
      }
      if isTerminal || hasChanged { showStatus() }
    case .settled(let reading): showEvent(texts(.demoSettled, ["mass": reading.printable + uncertainty(of: reading)]))
    case .event(let event): showEvent(text(of: event))
    case .weighing(let record, _): showEvent(text(of: record))
    case .reading, .contacts, .result, .control, .feedback, .record, .lastWeighing, .actions, .memory, .padWarning,
      .sampling, .containers, .containerChange, .pendingLabel, .output,
      .learnedStops, .learnedStopChange:
      break
    }
  }

  /// Ends the status line.
  package func end() { if isTerminal { put("\n") } }

  private func line(of reading: Reading) -> String {
    let width = 32
    let filled = min(max(Int((reading.force * Double(width)).rounded()), 0), width)
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
    let weight = String(repeating: " ", count: max(9 - reading.printable.count, 0)) + reading.printable
    let mark = reading.isStable ? "●" : " "
    return "\(weight) \(mark) \(bar) \(texts.state(reading.state))"
  }

  private func uncertainty(of reading: Reading) -> String {
    reading.uncertainty.map { uncertainty in
      let display = DisplayUnit(reading.unit, division: reading.tare.division)
      let value = uncertainty.value / display.unit.mass.value
      return " ± \(DecimalText.fixed(value, decimals: display.decimals + 1)) \(display.unit.rawValue)"
    } ?? ""
  }

  /// A mass as the display shows it.
  private func text(of mass: Grams) -> String { state.withLock { $0.display }.text(mass) }

  private func text(of record: RecordedWeighing) -> String {
    let label = record.label.map { " " + $0 } ?? ""
    let mass = text(of: record.measurement.net.mass)
    switch record.kind {
    case .weighing: return "\(texts(.weighing)) \(record.sequence): \(mass)\(label)"
    case .void: return "\(texts(.actionVoid)) \(record.sequence): \(mass)\(label)"
    case .relabel: return "\(texts(.actionRelabel)) \(record.sequence):\(label)"
    }
  }

  private func text(of event: ScaleEvent) -> String {
    switch event.kind {
    case .tared(let tare, nil): "\(texts(.eventTared)) \(text(of: tare.mass))"
    case .tared(let tare, let container?): "\(texts(.eventTared)) \(text(of: tare.mass)): \(container)"
    case .targetReached(let progress):
      "\(texts(.eventTargetReached)): \(state.withLock { $0.display }.text(given: progress.mass))"
    case .targetStop: texts(.eventTargetStop)
    case .doseStarted(let running): "\(texts(.eventDoseStarted)): \(text(of: running.dose.target.mass))"
    case .dosed(let finished): texts(.eventDosed) + (finished.result.map { " \(text(of: $0))" } ?? "")
    case .tareCleared: texts(.eventTareCleared)
    case .timerStarted: texts(.eventTimerStarted)
    case .timerStopped(let elapsed, _, _):
      texts(.eventTimerStopped) + " "
        + texts(.atSeconds, ["seconds": DecimalText.trimmed(elapsed.seconds, decimals: 1)])
    case .zeroed(let mass): texts(.demoZeroed, ["mass": text(of: mass.mass)])
    case .rejected(let action, _, let detail):
      texts(.rejected, ["action": texts.title(ofAction: action), "reason": texts(detail.sentence)])
    case .voided: texts(.labelVoided)
    case .relabelled: texts(.demoRelabelled)
    case .recalled(let record): "\(texts(.eventRecalled)) \(text(of: record))"
    case .scanned(let meaning): "\(texts(.eventScanned)): \(meaning.summary)"
    case .overload: texts(.eventOverload)
    case .padLost(let reason): "\(texts(.eventPadLost)): \(texts(reason.sentence))"
    case .padFound(let name): "\(texts(.eventPadFound)): \(name)"
    case .calibrated: texts(.eventCalibrated)
    case .reloaded: texts(.eventReloaded)
    case .journalLoss(let from, let to): "\(texts(.eventJournalLoss)) #\(from)...#\(to)"
    case .journalRecovered(_, let sequence): "\(texts(.eventJournalRecovered)) #\(sequence)"
    case .pairing(let request, let progress): texts.pairing(progress.name, name: request.name) ?? ""
    case .padSuspect(.noSignal): texts(.warningNoSignal)
    case .padSuspect(.rebaselining): texts(.eventPadSuspect)
    }
  }

  private func text(of report: GestureReport) -> String {
    let name = texts.title(ofAction: report.action)
    let percent = "\(Int((report.intention * 100).rounded())) %"
    if let record = report.preview?.weighing, report.state != .confirmed {
      return "  \(name) \(percent) \(text(of: record)), \(texts(.pressSlideUp))"
    }
    switch report.state {
    case .idle, .unavailable: return ""
    case .updating: return "  \(name) \(percent)"
    case .selected: return "  \(name) \(percent) \(texts(.pressSelected))"
    case .confirmed: return "  \(name) \(texts(.pressConfirmed))"
    }
  }

  private func showStatus() {
    let (line, hasGreeted) = state.withLock { ($0.line, $0.hasGreeted) }
    guard hasGreeted else { return }
    put(isTerminal ? "\r\u{1b}[K" + line : line + "\n")
  }

  private func showEvent(_ text: String) {
    let (line, hasGreeted) = state.withLock { ($0.line, $0.hasGreeted) }
    guard hasGreeted else { return }
    put(isTerminal ? "\r\u{1b}[K  " + text + "\n" + line : "  " + text + "\n")
  }

  private func put(_ text: String) {
    // A single write keeps lines whole. If the terminal is not ready, the line is dropped; the scale never waits.
    var entry = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    guard poll(&entry, 1, 0) > 0 else { return }
    let count = Array(text.utf8).withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
    // `demo | head`, or a terminal whose window was closed. Said once: a second Ctrl-C would end the program at once.
    guard count < 0, errno == EPIPE || errno == EIO else { return }
    let wasClosed = state.withLock { state in
      defer { state.isClosed = true }
      return state.isClosed
    }
    if !wasClosed { onClosed() }
  }
}
