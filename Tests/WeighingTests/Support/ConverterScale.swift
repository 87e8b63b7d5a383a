import Recordings
import Weighing

/// A platter on a load cell whose converter is read at its own rate, with the noise of a real one.
struct ConverterScale {
  /// A converter and its load cell.
  struct Converter {
    /// Samples per second.
    var rate = 10.0
    /// The largest deviation of a sample's time, as a share of the period.
    var jitter = 0.1
    /// One standard deviation of a sample in grams.
    var noise = 0.03
    /// The correlation of the noise of neighbouring samples.
    var correlation = 0.0
    var countsPerGram: Int32 = 1000
    var maximum: Int32 = 1 << 21
  }

  private(set) var machine: ScaleMachine
  private let converter: Converter
  private var random: SplitMix64
  private var effects: [Effect] = []
  /// The next sample is due at this multiple of the period.
  private var index = 0
  private var drift = 0.0
  private var counts: Int?
  /// Seconds since the start.
  private(set) var time = 0.0

  static let plate = 100.0
  private static let start = Instant(nanoseconds: 1_000_000_000)

  /// Makes a scale whose plate is learned, with a load at rest.
  init(_ converter: Converter, load: Double, seed: UInt64, _ change: (inout ScaleSettings) -> Void = { _ in }) {
    self.converter = converter
    random = SplitMix64(seed: seed)
    var settings = ScaleSettings()
    settings.surface = .platter
    settings.scale.capacity = Grams(1000)
    change(&settings)
    machine = ScaleMachine(settings: settings, at: Self.start)
    let pad = PadDescription(
      name: "converter",
      axes: [.pressure: AxisRange(minimum: 0, maximum: converter.maximum, resolution: converter.countsPerGram)])
    machine.handle(.padFound(pad), at: Self.start, into: &effects)
    run(for: 10) { _ in 0 }
    run(for: 10) { _ in load }
    effects.removeAll()
  }

  /// Changes the seed, so that copies of one scale continue differently.
  mutating func reseed(_ seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Delivers the samples of a load, in grams by the time, which includes the presses.
  mutating func run(for seconds: Double, _ load: (_ time: Double) -> Double) {
    let end = time + seconds
    while true {
      let period = 1 / converter.rate
      let due = Double(index + 1) * period
      guard due < end else { break }
      index += 1
      let moment = due + period * converter.jitter * (2 * random.unit() - 1)
      let kept = converter.correlation
      drift = kept * drift + (1 - kept * kept).squareRoot() * converter.noise * random.gaussian()
      let value = Int(((Self.plate + load(moment) + drift) * Double(converter.countsPerGram)).rounded())
      time = moment
      // evdev drops repeated values.
      guard value != counts else { continue }
      counts = value
      let now = Self.start + .seconds(moment)
      let contact = Contact(
        serial: 1, position: nil, origin: nil, raw: RawForce(min(value, Int(converter.maximum))),
        isAtMaximum: value >= Int(converter.maximum))
      machine.handle(.frame(Frame(time: now, contacts: [contact])), at: now, into: &effects)
      machine.checkInvariants()
    }
    time = end
    machine.advance(to: Self.start + .seconds(end), into: &effects)
    machine.checkInvariants()
  }

  /// Lets a person press on the load.
  mutating func press(_ presses: [PersonPress], _ tremor: PersonPress.Tremor, on load: Double, then rest: Double) {
    var source = TremorSource(tremor, using: &random)
    var random = random
    run(for: (presses.last?.end ?? time) + rest - time) { time in
      let force = presses.map { $0.force(at: time) }.max() ?? 0
      let variation = source.next(at: time, using: &random)
      return load + max(force * (1 + variation), 0)
    }
  }

  /// What happened since the last look.
  mutating func take() -> [Effect] {
    defer { effects.removeAll() }
    return effects
  }
}
