import Recordings
import Weighing

/// A platter on a load cell of 1,540 counts a gram behind a converter, fed sample by sample.
struct CellScale {
  var machine: ScaleMachine
  /// Seconds since the start.
  private(set) var time = 0.0
  private(set) var effects: [Effect] = []
  var rate: Double
  /// The standard deviation of a sample in grams.
  var noise = 0.05
  /// The range of a uniform jitter, as a fraction of the sample period.
  var jitter = 0.1
  let countsPerGram: Double
  let maximum: Int
  /// The bits of a sample that are always 0.
  var stuckBits = 0
  /// The newest count.
  private(set) var last = 0
  private let pad: PadDescription
  private var cell: CellNoise
  private var random: SplitMix64
  /// The counts of the cell without a load.
  private let offset: Double
  private static let start = Instant(nanoseconds: 1_000_000_000)

  /// Makes a scale.
  ///
  /// - Parameter isConverter: Whether the pad says that it delivers each sample; a recording does not.
  init(
    _ kind: CellNoise.Kind = .averaged, rate: Double = 10, division: Double = 0.01, isConverter: Bool = true,
    bits: Int = 23, countsPerGram: Double = 1540, offset: Double = 10_000, seed: UInt64 = 1,
    _ change: (inout ScaleSettings) -> Void = { _ in }
  ) throws {
    self.rate = rate
    self.countsPerGram = countsPerGram
    self.offset = offset
    maximum = (1 << bits) - 1
    cell = CellNoise(kind, seed: seed)
    random = SplitMix64(seed: seed &+ 1000)
    var settings = ScaleSettings()
    settings.surface = .platter
    settings.scale.division = Division(Grams(division)) ?? .gram
    settings.stability.motion = Grams(0.5)
    settings.curve = try CalibrationCurve(
      shape: .linear,
      points: [
        CalibrationPoint(raw: RawForce(Int(offset)), mass: .zero),
        CalibrationPoint(raw: RawForce(Int(offset + 100 * countsPerGram)), mass: Grams(100)),
      ])
    change(&settings)
    machine = ScaleMachine(settings: settings, at: Self.start)
    pad = PadDescription(
      name: "cell", axes: [.pressure: AxisRange(minimum: 0, maximum: Int32(maximum))], deliversEverySample: isConverter)
    effects += machine.handle(.padFound(pad), at: Self.start)
  }

  var reading: Reading { machine.reading }
  /// The unrounded reading.
  var level: Double { machine.reading.highResolution?.value ?? .nan }

  /// The seconds from the start to an instant.
  func seconds(_ instant: Instant) -> Double { (instant - Self.start).seconds }

  private func instant(_ seconds: Double) -> Instant { Self.start + .seconds(seconds) }

  /// Delivers one sample of a load, and the time to the next.
  mutating func sample(_ grams: Double, off: Double = 0) {
    let counts = offset + countsPerGram * (grams + noise * cell.next() + off)
    let at = time + jitter / rate * (random.unit() - 0.5)
    deliver(Int(counts.rounded()), at: at)
    time += 1 / rate
  }

  /// Delivers the same count again and again, whatever lies on the cell; 0 and `maximum` are the ends of the range.
  mutating func freeze(at counts: Int, for seconds: Double, _ body: (CellScale) -> Void = { _ in }) {
    let end = time + seconds
    while time < end {
      deliver(counts, at: time + jitter / rate * (random.unit() - 0.5))
      time += 1 / rate
      body(self)
    }
  }

  private mutating func deliver(_ counts: Int, at seconds: Double) {
    let raw = min(max(counts & ~stuckBits, 0), maximum)
    last = raw
    let contact = Contact(serial: 1, position: nil, origin: nil, raw: RawForce(raw), isAtMaximum: raw == maximum)
    effects += machine.handle(.frame(Frame(time: instant(seconds), contacts: [contact])), at: instant(seconds))
  }

  /// Delivers the samples of a resting load; `body` sees the scale after each.
  mutating func hold(_ grams: Double, for seconds: Double, _ body: (CellScale) -> Void = { _ in }) {
    let end = time + seconds
    while time < end {
      sample(grams)
      body(self)
    }
  }

  /// Handles an input now.
  mutating func handle(_ input: ScaleMachine.Input) {
    effects += machine.handle(input, at: instant(time))
  }

  /// Disconnects the pad and connects it again.
  mutating func replug() {
    handle(.padLost("unplugged"))
    handle(.padFound(pad))
  }

  /// Delivers the samples of a pour.
  mutating func pour(_ flow: Double, from grams: Double, for seconds: Double) {
    let begin = time
    while time < begin + seconds { sample(grams + flow * (time - begin)) }
  }

  /// Requests an action.
  mutating func ask(_ action: Action, _ arguments: ActionArguments = .none) {
    effects += machine.handle(
      .request(ActionRequest(action: action, parameters: arguments, source: .mqtt)), at: instant(time))
  }

  /// Delivers nothing.
  mutating func wait(_ seconds: Double) {
    time += seconds
    effects += machine.advance(to: instant(time))
  }

  /// Lets the machine have its deadlines up to a moment, of which the next sample is later.
  mutating func look(at seconds: Double) { effects += machine.advance(to: instant(seconds)) }

  /// What happened since the last look.
  mutating func take() -> [Effect] {
    defer { effects.removeAll() }
    return effects
  }

  /// The masses that became zero, and when, in seconds since the start.
  var zeroed: [(mass: Double, time: Double)] {
    effects.compactMap {
      guard case .event(let event) = $0, case .zeroed(let mass) = event.kind else { return nil }
      return (mass.mass.value, (event.time - Self.start).seconds)
    }
  }
}
