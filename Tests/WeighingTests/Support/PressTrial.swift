import Foundation
import Recordings
import Weighing

/// One press, or up to three, on a random pad with a load, and perhaps something that comes in between.
struct PressTrial: CustomStringConvertible {
  enum Pad: CaseIterable { case zones, plain, platter, converter, key }
  enum Disturbance: CaseIterable {
    case none, gap, silence, wrongSample, secondFinger, key, unplugged, reconfigured, loadLifted, loadChanged
  }

  /// The force of one press, and where the finger is: times in seconds since its beginning.
  private struct Press {
    var force: Double
    /// A variation of the force as a share of it, and its frequency.
    var tremor: (share: Double, frequency: Double)
    var rise = 0.0
    var before = 0.0
    var slide = 0.0
    var after = 0.0
    var fall = 0.0
    var path: (from: Double, to: Double, end: Double, sideways: Double)

    var length: Double { rise + before + slide + after + fall }

    func force(at time: Double) -> Double {
      let left = length - time
      guard time >= 0, left > 0 else { return 0 }
      let wave = 1 + tremor.share * (2 * (tremor.frequency * time).truncatingRemainder(dividingBy: 1) - 1)
      return force * wave * min(time / max(rise, 1e-3), left / max(fall, 1e-3), 1)
    }

    func position(at time: Double) -> (x: Double, y: Double) {
      let part = min(max((time - rise - before) / max(slide, 1e-3), 0), 1)
      let end = time > rise + before + slide + after / 2 ? path.end : path.to
      return (0.95 - (end == path.end ? path.sideways : 0), part < 1 ? path.from + (path.to - path.from) * part : end)
    }
  }

  let pad: Pad
  let disturbance: Disturbance
  private let rate: Double
  private let noise: Double
  private let countsPerGram: Double
  private let load: Double
  private let disturbedAt: Double
  private var presses: [(start: Double, press: Press)] = []
  private var random: SplitMix64
  private var machine: ScaleMachine
  private var ledger = PressLedger()
  private var now = Instant(nanoseconds: 1_000_000_000)
  private var shown: [Contact] = []
  private var serial: UInt64 = 2

  var description: String {
    "\(pad) \(disturbance) at \(disturbedAt), \(rate)/s, \(noise) g, \(countsPerGram)/g, \(load) g: "
      + presses.map { "\($0.start) \($0.press)" }.joined(separator: "; ")
  }

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func among(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    pad = Pad.allCases[Int(random.next() % 8) % 5]
    let kinds = pad == .zones ? Disturbance.allCases : Disturbance.allCases.filter { $0 != .secondFinger }
    disturbance = random.next() % 2 == 0 ? .none : kinds[Int(random.next() % UInt64(kinds.count))]
    rate = pad == .converter ? 10 * exp2(5 * random.unit()) : 20 * exp2(3.5 * random.unit())
    countsPerGram = pad == .converter ? 400 : exp2(5 * random.unit() - 1)
    noise = pad == .converter ? among(0.05...1) : random.next() % 3 == 0 ? 0 : among(0...1)
    load = pad == .zones && random.next() % 8 == 0 ? 0 : among(20...150)
    var start = 0.0
    for _ in 0..<(pad == .zones || pad == .key ? 1 : Int(1 + random.next() % 6 / 3)) {
      let press = Self.press(on: pad, using: &random)
      presses.append((start, press))
      start += press.length + among(0.1...0.9)
    }
    disturbedAt = among(0...min(presses[0].press.length, 2))
    self.random = random
    machine = ScaleMachine(settings: Self.settings(pad, countsPerGram), at: now)
  }

  private static func press(on pad: Pad, using random: inout SplitMix64) -> Press {
    func among(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    var press = Press(
      force: among(165...240), tremor: (random.next() % 2 == 0 ? 0 : among(0...0.1), among(0.5...12)),
      path: (0.8, 0.8, 0.8, 0))
    press.rise = among(0.01...0.2)
    press.fall = random.next() % 2 == 0 ? 0.005 : among(0.01...0.3)
    switch pad {
    case .zones:
      press.before = among(0.02...1)
      press.slide = random.next() % 4 == 0 ? 0 : among(0.05...0.5)
      press.after = random.next() % 4 == 0 ? among(0...0.15) : random.next() % 8 == 0 ? among(9...12) : among(0.1...3)
      press.path.to = among(0.2...0.6)
      press.path.end = random.next() % 8 == 0 ? among(0...0.8) : press.path.to
      press.path.sideways = random.next() % 8 == 0 ? among(0...0.5) : 0
    case .plain, .platter, .converter:
      press.after = random.next() % 5 == 0 ? among(2...6) : among(0.2...2)
    case .key: press.after = among(1.6...4)
    }
    return press
  }

  private static func settings(_ pad: Pad, _ countsPerGram: Double) -> ScaleSettings {
    var settings = ScaleSettings()
    settings.surface = pad == .platter || pad == .converter ? .platter : .contacts
    settings.scale.capacity = Grams(600)
    settings.stability.motion = Grams(2)
    settings.curve = try? CalibrationCurve(
      shape: .linear,
      points: [
        CalibrationPoint(raw: .zero, mass: .zero),
        CalibrationPoint(raw: RawForce(Int(1000 * countsPerGram)), mass: Grams(1000)),
      ])
    return settings
  }

  private var padDescription: PadDescription {
    switch pad {
    case .zones, .key: .slots(maximum: 100_000, countsPerGram: 0)
    case .plain, .platter, .converter:
      PadDescription(
        name: "axis", axes: [.pressure: AxisRange(minimum: 0, maximum: 1 << 23)],
        keys: pad == .plain ? [.touch] : [], deliversEverySample: pad == .converter)
    }
  }

  /// Presses; what was shown and what came of it.
  mutating func run() -> PressLedger {
    handle(.padFound(padDescription))
    let rest = max(2, 24 / rate)
    if pad == .platter || pad == .converter { pass(rest) { _ in } }
    pass(rest) { $0.show(load: $0.load) }
    ledger.begin(tareIsDouble: pad != .key)
    let (begin, end) = (now, (presses.last?.start ?? 0) + (presses.last?.press.length ?? 0))
    var isDisturbed = disturbance == .none
    pass(end + max(5, 40 / rate)) { trial in
      let time = (trial.now - begin).seconds
      if !isDisturbed, time >= trial.disturbedAt {
        isDisturbed = true
        if trial.disturb() { return }
      }
      trial.show(at: time, isDisturbed: isDisturbed)
    }
    // What only time decides, without samples.
    pass(to: now + .seconds(12))
    ledger.end()
    return ledger
  }

  private mutating func pass(_ seconds: Double, _ sample: (inout PressTrial) -> Void) {
    let end = now + .seconds(seconds)
    while now < end {
      sample(&self)
      pass(to: now + .seconds(1 / rate))
    }
  }

  private mutating func pass(to end: Instant) {
    while let due = machine.nextDeadline, due <= end { ledger.observe(machine.advance(to: due)) }
    now = end
  }

  private mutating func handle(_ input: ScaleMachine.Input) { ledger.observe(machine.handle(input, at: now)) }

  /// Lets the disturbance happen; returns whether it takes the place of a sample.
  private mutating func disturb() -> Bool {
    switch disturbance {
    case .gap: handle(.frame(Frame(time: now, contacts: shown, followsGap: true)))
    case .silence: pass(to: now + .seconds(3 * random.unit()))
    case .wrongSample: show(load: load + (random.next() % 2 == 0 ? 400 : -300) * random.unit())
    case .key:
      handle(.button(ButtonChange(button: 7, action: "void", change: .pressed)))
      handle(.button(ButtonChange(button: 7, action: "void", change: .lost)))
    case .unplugged:
      handle(.padLost("unplugged"))
      pass(to: now + .milliseconds(300))
      handle(.padFound(padDescription))
      shown = []
    case .reconfigured:
      var settings = machine.settings
      settings.confirm.threshold = 0.96
      handle(.settings(settings))
    case .none, .secondFinger, .loadLifted, .loadChanged: return false
    }
    return true
  }

  private mutating func show(at time: Double, isDisturbed: Bool) {
    let current = presses.last { $0.start <= time }
    let since = time - (current?.start ?? 0)
    let force = current?.press.force(at: since) ?? 0
    var load = load
    if isDisturbed, disturbance == .loadLifted { load = 0 }
    if isDisturbed, disturbance == .loadChanged { load *= 0.7 }
    switch pad {
    case .plain, .platter, .converter: show(load: load + force)
    case .key:
      let isDown = force > 0
      if isDown != (serial > 2) {
        serial = isDown ? 3 : 2
        handle(.button(ButtonChange(button: 1, action: "tare", change: isDown ? .pressed : .released)))
      }
      show(load: load)
    case .zones:
      var fingers: [Contact] = []
      if let press = current?.press, force > 0 {
        let (place, from) = (press.position(at: since), press.path.from)
        fingers.append(finger(force, x: place.x, y: place.y, from: from, serial: 2))
        if isDisturbed, disturbance == .secondFinger {
          fingers.append(finger(50, x: 0.9, y: 0.9, from: 0.9, serial: 3))
        }
      }
      show(load: load, fingers)
    }
  }

  private mutating func counts(_ grams: Double) -> Int {
    let plate = pad == .platter || pad == .converter ? 100.0 : 0
    return Int(((grams + plate + noise * random.gaussian()) * countsPerGram).rounded())
  }

  private mutating func finger(_ force: Double, x: Double, y: Double, from: Double, serial: UInt64) -> Contact {
    Contact(
      serial: serial, position: Position(x: x, y: y), origin: Position(x: 0.95, y: from),
      raw: RawForce(max(counts(force), 1)), isAtMaximum: false)
  }

  /// One frame of a load, now; evdev drops what has not changed.
  private mutating func show(load: Double, _ fingers: [Contact] = []) {
    let middle = Position(x: 0.5, y: 0.5)
    let raw = counts(load)
    var contacts = fingers
    if raw > 0, load > 0 || pad == .platter || pad == .converter {
      contacts.insert(
        Contact(serial: 1, position: middle, origin: middle, raw: RawForce(raw), isAtMaximum: false), at: 0)
    }
    guard contacts != shown || pad == .converter else { return }
    shown = contacts
    handle(.frame(Frame(time: now, contacts: contacts)))
  }
}
