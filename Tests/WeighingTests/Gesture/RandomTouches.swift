import Recordings
import Weighing

/// Fingers, loads and keys at random: mostly presses that go well, with something in between that spoils them.
struct RandomTouches {
  enum Step {
    case frame([Contact], gap: Bool)
    case key(ButtonChange)
  }

  private(set) var steps: [(after: Interval, step: Step)] = []
  private var random: SplitMix64
  private var load: Contact?
  private var fingers: [Contact] = []
  private var serial: UInt64 = 0

  init(seed: UInt64, hold: Interval) {
    random = SplitMix64(seed: seed)
    changeLoad()
    show(after: .milliseconds(8))
    let presses = 2 + random.next() % 4
    for _ in 0..<presses {
      if chance(3) { show(after: .milliseconds(400 + Int(random.next() % 400))) }
      if chance(4) { key(hold) } else { press() }
      if chance(2) {
        changeLoad()
        show(after: .milliseconds(8))
      }
    }
    fingers.removeAll()
    show(after: .milliseconds(8))
  }

  private mutating func chance(_ oneIn: UInt64) -> Bool { random.next() % oneIn == 0 }

  private mutating func show(after: Interval, gap: Bool = false) {
    steps.append((after, .frame([load].compactMap(\.self) + fingers, gap: gap)))
  }

  private mutating func changeLoad() {
    serial += 1
    load = chance(6) ? nil : .load(chance(12) ? 900 : Int(2 + random.next() % 600), serial: serial)
  }

  private mutating func press() {
    serial += 1
    let column = chance(4) ? 0.05 : 0.95
    var x = column
    let start = 0.4 + random.unit() / 2
    var (height, force) = (start, random.unit())
    let own = serial
    for _ in 0..<(2 + random.next() % 10) {
      // On the whole harder and upwards.
      if chance(2) { force = chance(8) ? 3 : chance(3) ? random.unit() : 1 }
      if chance(2) { height = chance(4) ? start : max(start - random.unit() * 0.5, 0) }
      if chance(40) { x += (x < 0.5 ? 1 : -1) * random.unit() * 0.5 }
      let finger = Contact.finger(force, at: height, x: x, serial: own, from: start, fromX: column)
      if let index = fingers.firstIndex(where: { $0.serial == own }) {
        fingers[index] = finger
      } else {
        fingers.append(finger)
      }
      disturb()
      show(after: .milliseconds(chance(12) ? 500 : 8), gap: chance(60))
    }
    // Mostly it stands still for a while before it is lifted.
    if !chance(5) { show(after: .milliseconds(chance(4) ? 92 : 100 + Int(random.next() % 300))) }
    guard !chance(12) else { return }
    fingers.removeAll { $0.serial == own || random.next() % 4 != 0 }
    if chance(20) { fingers.append(.finger(1, x: 0.95, serial: own + 1_000_000)) }
    show(after: .milliseconds(8), gap: chance(60))
  }

  private mutating func disturb() {
    guard chance(20) else { return }
    switch random.next() % 4 {
    case 0:
      serial += 1
      fingers.append(.finger(random.unit(), x: chance(2) ? 0.05 : 0.95, serial: serial))
    case 1: if !fingers.isEmpty { fingers.removeFirst() }
    case 2: changeLoad()
    default: change([.pressed, .released, .lost].randomElement(using: &random) ?? .pressed, after: .zero)
    }
  }

  private mutating func change(_ change: ButtonChange.Change, _ button: Int? = nil, after: Interval) {
    let button = button ?? Int(random.next() % 2)
    steps.append((after, .key(ButtonChange(button: button, action: button == 0 ? "commit" : "tare", change: change))))
  }

  private mutating func key(_ hold: Interval) {
    let button = Int(random.next() % 2)
    change(.pressed, button, after: .milliseconds(5))
    let around: Int64 = [-1, 0, 1, -100_000_000, 300_000_000].randomElement(using: &random) ?? 0
    if chance(6) { change(.pressed, 1 - button, after: .zero) }
    if chance(8) { show(after: .zero) }
    change(chance(10) ? .lost : .released, button, after: hold + Interval(nanoseconds: around))
    change(.released, 1 - button, after: .zero)
  }
}
