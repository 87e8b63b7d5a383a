import Languages
import Weighing

extension JSONWriter {
  /// Writes a reading with the label that waits for the next weighing, its fields in one piece: one by one they take several thousand
  /// instructions more.
  mutating func reading(_ reading: Reading, label: String? = nil, _ clock: WallClock) {
    ascii(upTo: 1024) { text in
      text.put("{\"time\":\"")
      clock.put(reading.time, into: &text)
      text.put("\",\"state\":\"")
      text.put(text: reading.state.rawValue)
      text.put("\",\"gross_g\":", reading.gross)
      text.put(",\"tare_g\":", reading.tare)
      text.put(",\"net_g\":", reading.net)
      text.put(",\"high_resolution_g\":", reading.highResolution?.value, decimals: 3)
      text.put(",\"uncertainty_g\":", reading.uncertainty?.value, decimals: 3)
      text.put(",\"stable\":", reading.isStable)
      text.put(",\"inside_zero\":", reading.isInsideZero)
      text.put(",\"overload\":", reading.isOverloaded)
      text.put(",\"underload\":", reading.isUnderloaded)
      text.put(",\"printable\":\"")
      reading.putPrintable(into: &text)
      text.put("\",\"raw\":", reading.raw.counts)
      text.put(",\"force\":", reading.force, decimals: 4)
      text.put(",\"calibration\":")
      if let origin = reading.calibration {
        text.put("\"")
        text.put(text: origin.rawValue)
        text.put("\"")
      } else {
        text.put("null")
      }
      text.put(",\"tare_epoch\":", reading.tareEpoch)
      text.put(",\"flow_g_s\":", reading.flow, decimals: 3)
      if let timer = reading.timer { text.put(",\"timer_s\":", timer.seconds, decimals: 3) }
      if let pours = reading.pours { text.put(",\"pours\":", pours) }
    }
    if let instruments = reading.instruments { fields(of: instruments) }
    if let label { field("label", label) }
    endObject()
  }

  /// Writes the contacts of a frame.
  mutating func contacts(_ report: ContactsReport, _ clock: WallClock) {
    object { json in
      json.field("time")
      json.time(report.time, clock)
      json.field("contacts")
      json.array { json in
        for entry in report.entries { json.contact(entry) }
      }
    }
  }

  private mutating func contact(_ entry: ContactsReport.Entry) {
    ascii(upTo: 256) { text in
      text.put("{\"x\":", entry.contact.position?.x, decimals: 4)
      text.put(",\"y\":", entry.contact.position?.y, decimals: 4)
      text.put(",\"force\":", entry.force, decimals: 4)
      text.put(",\"raw\":", entry.contact.raw.counts)
      text.put(",\"weighs\":", entry.weighs)
      text.put("}")
    }
  }

  /// Writes the state of a press.
  mutating func gesture(_ report: GestureReport, _ clock: WallClock) {
    object { json in
      json.field("time")
      json.time(report.time, clock)
      json.field("action")
      json.string(report.action)
      json.field("state")
      json.string(report.state.rawValue)
      json.field("intention")
      json.fraction(report.intention)
      json.field("preview")
      switch report.preview {
      case .reading(let reading): json.reading(reading, clock)
      case .weighing(let record): json.weighing(record, historical: true)
      case nil: json.null()
      }
    }
  }

  /// Writes the state of a control.
  mutating func control(_ report: ControlReport, _ clock: WallClock) {
    object { json in
      json.field("time")
      json.time(report.time, clock)
      json.field("state")
      json.string(report.state.rawValue)
      json.field("value")
      json.fraction(report.value)
      json.field("x")
      json.fraction(report.x)
      json.field("y")
      json.fraction(report.y)
    }
  }

  /// Writes an event.
  mutating func event(_ event: ScaleEvent, _ clock: WallClock) {
    object { json in
      json.field("type")
      json.string(event.kind.name)
      json.field("time")
      json.time(event.time, clock)
      switch event.kind {
      case .tared(let tare, let container):
        json.field("tare_g", tare)
        if let container { json.fields(("container", container.description)) }
      case .zeroed(let mass):
        json.field("zeroed_g", mass)
      case .rejected(let action, let rejection, let detail):
        json.fields(("action", action), ("reason", rejection.rawValue))
        json.sentence("detail", detail.sentence)
      case .voided(let id, let sequence): json.record(id, sequence)
      case .relabelled(let id, let label, let sequence):
        json.record(id, sequence)
        json.field("label", label)
      case .recalled(let record):
        json.field("weighing")
        json.weighing(record, historical: true)
      case .scanned(let meaning):
        json.field("code", meaning.code.text)
        if let label = meaning.label { json.field("label", label) }
        if let container = meaning.container { json.field("container", container.description) }
        if let target = meaning.target { json.field("target_g", target.value, decimals: 3) }
      case .padLost(let reason): json.sentence("reason", reason.sentence)
      case .padSuspect(let suspicion): json.fields(("reason", suspicion.rawValue))
      case .padFound(let name): json.fields(("name", name))
      case .journalLoss(let from, let to):
        json.fields(("from", from), ("to", to))
      case .journalRecovered(let id, let sequence): json.record(id, sequence)
      case .targetReached(let progress): json.fields(of: progress)
      case .timerStarted(let elapsed, let pours, let pause):
        json.timer(elapsed, pours)
        if let pause { json.field("pause_s", pause.seconds, decimals: 3) }
      case .timerStopped(let elapsed, let pours, let isAmended):
        json.timer(elapsed, pours)
        if isAmended { json.field("amended", true) }
      case .pairing(let request, let progress):
        json.fields(("name", request.name), ("address", request.address))
        if case .refused(let refusal) = progress { json.field("reason", refusal.rawValue) }
      case .targetStop(let stop):
        json.field("target_g", stop.target.value, decimals: 3)
        json.field("net_g", stop.net.value, decimals: 3)
        json.field("predicted_g", stop.predicted.value, decimals: 3)
        json.field("flow_g_s", stop.flow, decimals: 3)
        if !stop.label.isEmpty { json.field("label", stop.label) }
      case .doseStarted(let running): json.fields(of: running.dose, label: running.label)
      case .dosed(let finished):
        json.fields(of: finished.dose, label: finished.label)
        json.field("result_g")
        json.grams(finished.result)
        json.field("error_g")
        json.grams(finished.result.map { $0 - finished.dose.target.mass })
        json.fields(("reason", finished.reason.rawValue))
        json.field("learned", finished.learning == .learned)
        if finished.learning == .outlier { json.field("outlier", true) }
      case .tareCleared, .overload, .calibrated, .reloaded: break
      }
      json.field("tare_epoch", event.tareEpoch)
    }
  }

  /// Writes what a dose was asked for.
  private mutating func fields(of dose: Dose, label: String) {
    fields(("output", dose.output.description))
    field("target_g", dose.target.mass.value, decimals: 3)
    if !label.isEmpty { field("label", label) }
  }

  /// Writes the identifier of a record, and its number if it is known.
  private mutating func record(_ id: WeighingID, _ sequence: Int?) {
    fields(("id", id.description))
    if let sequence { field("sequence", sequence) }
  }

  /// Writes the time on the timer, and the number of pours if it follows them.
  private mutating func timer(_ elapsed: Interval, _ pours: Int?) {
    field("timer_s", elapsed.seconds, decimals: 3)
    if let pours { field("pours", pours) }
  }

  /// Writes an instant as a time of RFC 3339.
  mutating func time(_ instant: Instant, _ clock: WallClock) {
    ascii(upTo: 26) { text in
      text.put("\"")
      clock.put(instant, into: &text)
      text.put("\"")
    }
  }

  /// Writes a fraction with four decimals, or `null`.
  private mutating func fraction(_ value: Double?) { if let value { number(value, decimals: 4) } else { null() } }

  /// Writes a key and a displayed mass as a number with the decimals of its division.
  package mutating func field(_ name: String, _ mass: DisplayedMass) {
    field(name, mass.mass.value, decimals: mass.division.decimals)
  }

  /// Writes a mass rounded to a milligram, or `null`.
  mutating func grams(_ mass: Grams?) { if let mass { number(mass.value, decimals: 3) } else { null() } }
}

extension ScaleEvent.Kind {
  /// The value of `type` in the payload.
  var name: String {
    switch self {
    case .tared: "tared"
    case .tareCleared: "tare_cleared"
    case .timerStarted: "timer_started"
    case .timerStopped: "timer_stopped"
    case .zeroed: "zeroed"
    case .rejected: "rejected"
    case .voided: "voided"
    case .relabelled: "relabelled"
    case .recalled: "recalled"
    case .scanned: "scanned"
    case .overload: "overload"
    case .padLost: "pad_lost"
    case .padFound: "pad_found"
    case .calibrated: "calibrated"
    case .reloaded: "reloaded"
    case .journalLoss: "journal_loss"
    case .journalRecovered: "journal_recovered"
    case .padSuspect: "pad_suspect"
    case .targetReached: "target_reached"
    case .targetStop: "target_stop"
    case .doseStarted: "dose_started"
    case .dosed: "dosed"
    case .pairing(_, let progress): "pairing_\(progress.name)"
    }
  }
}
