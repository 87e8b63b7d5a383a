import Recordings
import Weighing

/// A scale with a pad of two counts a gram, fed frame by frame with what a test says.
struct HandFedScale {
  var machine: ScaleMachine
  var now: Instant
  /// Everything since the test last looked.
  private(set) var effects: [Effect] = []
  private var random = SplitMix64(seed: 99)

  static let period = Interval.milliseconds(8)

  init(
    _ settings: ScaleSettings = ScaleSettings(), pad: PadDescription? = .slots(),
    at start: Instant = Instant(nanoseconds: 1_000_000_000)
  ) {
    machine = ScaleMachine(settings: settings, at: start)
    now = start
    if let pad {
      handle(.padFound(pad))
      effects += machine.advance(to: now)
    }
  }

  var reading: Reading { machine.reading }

  /// Changes the settings with a closure.
  mutating func change(_ body: (inout ScaleSettings) -> Void) {
    var settings = machine.settings
    body(&settings)
    handle(.settings(settings))
  }

  mutating func handle(_ input: ScaleMachine.Input) {
    effects += machine.handle(input, at: now)
  }

  mutating func ask(_ action: Action, identifier: UInt64 = 0) {
    handle(.request(ActionRequest(action: action, source: .button, identifier: identifier)))
  }

  /// One frame, now, of contacts with such counts in the middle of the pad; none when nothing is given.
  mutating func frame(_ counts: Int..., gap: Bool = false) {
    let middle = Position(x: 0.5, y: 0.5)
    frame(
      counts.enumerated().map { index, raw in
        Contact(
          serial: UInt64(index + 1), position: middle, origin: middle, raw: RawForce(raw), isAtMaximum: raw >= 1000)
      }, gap: gap)
  }

  mutating func frame(_ contacts: [Contact], gap: Bool = false) {
    handle(.frame(Frame(time: now, contacts: contacts, followsGap: gap)))
  }

  /// Silence: lets the machine have its deadlines.
  mutating func wait(_ interval: Interval) {
    now = now + interval
    effects += machine.advance(to: now)
  }

  /// Sends frames of a load with noise.
  mutating func hold(_ counts: Double, for interval: Interval, noise: Double = 1.5, every period: Interval = period) {
    let end = now + interval
    while now < end {
      frame(max(Int((counts + noise * random.gaussian()).rounded()), 1))
      wait(period)
    }
  }

  /// Puts a load without noise on the pad and waits until it is stable.
  mutating func settle(_ counts: Int) {
    frame(counts)
    wait(.milliseconds(1000))
  }

  /// What happened since the last look.
  mutating func take() -> [Effect] {
    defer { effects.removeAll() }
    return effects
  }
}

extension [Effect] {
  var live: [Reading] { compactMap { if case .live(let reading) = $0 { reading } else { nil } } }
  var readings: [Reading] { compactMap { if case .reading(let reading) = $0 { reading } else { nil } } }
  var settled: [Reading] { compactMap { if case .settled(let reading) = $0 { reading } else { nil } } }
  var events: [ScaleEvent.Kind] { compactMap { if case .event(let event) = $0 { event.kind } else { nil } } }
  var results: [ActionResult] { compactMap { if case .result(let result) = $0 { result } else { nil } } }
  var rejections: [Rejection?] { results.map(\.rejection) }
  var contacts: [ContactsReport] { compactMap { if case .contacts(let report) = $0 { report } else { nil } } }
}
