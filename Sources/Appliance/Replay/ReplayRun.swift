import EvdevInput
import Journal
import Languages
import Messages
import Weighing

/// One run of a replay: the machine, its journal and the current time.
struct ReplayRun {
  private let replay: Replay
  private let journal: Journal
  private let location: JournalLocation
  private let topics: Topics
  private let start: Instant
  /// The number of weighings that the zone `history` reaches; `nil` without one.
  private let historyDepth: Int?
  private var machine: ScaleMachine
  private var composer: MessageComposer
  private var pad: InputFrames
  private var pending: ArraySlice<Replay.TimedAction>
  private var health: Health

  /// Maximum time that the silent pad is simulated after the last event.
  private static let longestSilence = Interval.seconds(10)

  init(_ replay: Replay, journal: Journal, at location: JournalLocation) throws {
    (self.replay, self.journal, self.location) = (replay, journal, location)
    let configuration = replay.configuration
    topics = Topics(prefix: configuration.mqtt.prefix, id: configuration.device.id)
    start = replay.events.first?.time ?? Instant(nanoseconds: 0)
    machine = ScaleMachine(settings: replay.settings, at: start)
    composer = MessageComposer(topics: topics, heartbeat: replay.settings.publish.heartbeat, clock: .recorded)
    pad = replay.pad
    pending = replay.actions[...]
    health = Health(
      pad: pad.unsuitable.map { .missing($0.sentence) }
        ?? .present(name: replay.description.name, path: "recording"),
      broker: .disconnected(Sentence(.linkReplay)), calibration: nil, journal: .available(path: location.text),
      configurationError: nil, version: Version.text)
    health.setDisplay(replay.settings)
    let context = configuration.recordContext
    historyDepth = context.historyDepth
    try journal.begin(configurationHash: context.configurationHash, calibrationHash: context.calibrationHash, at: start)
  }

  /// Runs from the first event to the last, and on until nothing is pending.
  mutating func run(_ body: (ReplayedMessage) throws -> Void) throws {
    try emit(
      [
        composer.availability(true), composer.actions(replay.settings.quickActions),
        composer.containers(replay.settings.containers),
      ] + (replay.settings.outputs.isEmpty ? [] : [composer.learned([])]), at: start, body)
    let containers = try journal.containers()
    if !containers.isEmpty { try handle(.restoreContainers(containers), at: start, body) }
    let stops = try journal.learnedStops()
    if !stops.isEmpty { try handle(.restoreStops(stops), at: start, body) }
    // A recording has no broker: its outputs are switched as if there were one.
    try handle(.connection(isConnected: true), at: start, body)
    if let reason = pad.unsuitable {
      try handle(.padLost(reason.sentence), at: start, body)
    } else {
      try handle(.padFound(replay.description), at: start, body)
    }
    try updateHistory(at: start, body)
    health.calibration = machine.calibration?.rawValue
    try emit([composer.health(health, at: start)], at: start, body)
    var decoded: [PadEvent] = []
    for event in replay.events {
      pad.handle(event) { decoded.append($0) }
      for event in decoded { try handle(event, body) }
      decoded.removeAll(keepingCapacity: true)
    }
    var end = replay.events.last?.time ?? start
    if let last = replay.actions.last { end = max(end, start + last.time) }
    try act(until: end, body)
    try advance(to: end, body)
    let limit = end + Self.longestSilence
    while !machine.isAtRest, let due = machine.nextDeadline, due <= limit {
      end = due
      try advance(to: due, body)
    }
    try handle(.shutdown, at: end, body)
    try emit([composer.availability(false)], at: end, body)
  }

  private mutating func handle(_ event: PadEvent, _ body: (ReplayedMessage) throws -> Void) throws {
    switch event {
    case .frame(let frame): try handle(.frame(frame), afterActions: frame.time, body)
    case .button(let change, let time): try handle(.button(change), afterActions: time, body)
    // The frame after a gap reports it; the pad of a recording is never connected or disconnected.
    case .gap, .found, .setupWarning, .lost, .waiting: break
    }
  }

  /// Advances time as the appliance does, from deadline to deadline, so that a record is answered when it is made.
  private mutating func advance(to time: Instant, _ body: (ReplayedMessage) throws -> Void) throws {
    while let due = machine.nextDeadline, due <= time { try perform(machine.advance(to: due), body) }
    try perform(machine.advance(to: time), body)
  }

  /// Handles an input after everything that was due before it.
  private mutating func handle(
    _ input: ScaleMachine.Input, at time: Instant, _ body: (ReplayedMessage) throws -> Void
  ) throws {
    try advance(to: Instant(nanoseconds: time.nanoseconds - 1), body)
    try perform(machine.handle(input, at: time), body)
  }

  /// Handles an input after the actions scheduled before it.
  private mutating func handle(
    _ input: ScaleMachine.Input, afterActions time: Instant, _ body: (ReplayedMessage) throws -> Void
  ) throws {
    try act(until: Instant(nanoseconds: time.nanoseconds - 1), body)
    try handle(input, at: time, body)
  }

  private mutating func act(until time: Instant, _ body: (ReplayedMessage) throws -> Void) throws {
    while let next = pending.first, start + next.time <= time {
      pending.removeFirst()
      try handle(next.input, at: start + next.time, body)
    }
  }

  private mutating func perform(_ effects: [Effect], _ body: (ReplayedMessage) throws -> Void) throws {
    for effect in effects {
      if case .weighing(let record, _) = effect {
        try emit([composer.weighing(record, historical: false)], at: effect.time, body)
      }
      try emit(composer.messages(for: effect), at: effect.time, body)
      try updateHealth(effect, body)
      if case .containerChange(let name, let tare, let time) = effect {
        try journal.store(name, tare: tare, at: time)
      }
      if case .learnedStopChange(let stop, _) = effect { try journal.store(stop) }
      if case .output(let change, let time) = effect, let message = replay.configuration.outputs.message(for: change) {
        try emit([message], at: time, body)
      }
      guard case .record(let draft) = effect else { continue }
      // The times of a recording are wall-clock times; whether that clock was synchronised is unknown.
      let outcome = journal.outcome(of: draft, at: draft.time, clock: .unsynchronised)
      try perform(machine.handle(.recorded(outcome.outcome), at: draft.time), body)
      try updateHistory(at: draft.time, body)
    }
  }

  /// Passes the weighings for the zone `history` to the scale, as the journal's thread does.
  private mutating func updateHistory(at time: Instant, _ body: (ReplayedMessage) throws -> Void) throws {
    guard let historyDepth else { return }
    try perform(machine.handle(.history(try journal.standing(historyDepth)), at: time), body)
  }

  private func emit(_ messages: [Message], at time: Instant, _ body: (ReplayedMessage) throws -> Void) throws {
    for message in messages { try body(ReplayedMessage(message, time - start, topics)) }
  }

  private mutating func updateHealth(_ effect: Effect, _ body: (ReplayedMessage) throws -> Void) throws {
    if case .padWarning(let warning, _) = effect {
      health.padWarning = warning
    } else if case .sampling(let report, _) = effect {
      health.sampling = report
    } else {
      return
    }
    try emit([composer.health(health, at: effect.time)], at: effect.time, body)
  }
}
