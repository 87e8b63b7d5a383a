import Recordings
import Testing
import Weighing

/// Ten thousand random presses during which the load is unchanged, removed, swapped, poured or dragged. The recorded or
/// tared load is the one on the pad when the action fires, or none.
///
/// The oracle knows the load at any time, but no states, latches or filters.
@Suite struct LoadDuringPressTests {
  private static let perBatch = 500

  @Test(arguments: 0..<20)
  func whatIsRecordedLiesThere(_ batch: Int) {
    var faults: [String] = []
    var fires: [Happening: Int] = [:]
    for index in 0..<Self.perBatch {
      var random = SplitMix64(seed: UInt64(batch * Self.perBatch + index) &* 7919)
      let course = PressCourse(using: &random)
      let masses = course.run()
      for (mass, time) in masses
      where !course.lies(mass, at: time) {
        faults.append("\(batch * Self.perBatch + index), \(course.way) \(course.happening): \(mass) at \(time.seconds)")
      }
      if course.happening == .nothing, masses.count != 1 {
        faults.append("\(batch * Self.perBatch + index), \(course.way): \(masses.count) fires")
      }
      fires[course.happening, default: 0] += masses.isEmpty ? 0 : 1
    }
    #expect(faults.isEmpty, "\(faults.count), first \(faults.prefix(5))")
    // Swapped, poured and dragged loads mostly come to rest in time; a load that is gone is rarely there to be recorded.
    for happening in Happening.allCases { #expect(fires[happening, default: 0] > 5, "\(happening): \(fires)") }
  }
}

/// What is done to the load during a press.
enum Happening: CaseIterable {
  case nothing, removed, swapped, poured, dragged
}

/// One press on a load, in ticks of 40 ms, with the load of every tick.
struct PressCourse {
  enum Way: CaseIterable { case zone, once, twice, key }

  /// What presses in one tick.
  struct Touch: Equatable {
    var force = 0.0
    var height = 0.8
    var isDown = false
  }

  static let tick = Interval.milliseconds(40)
  /// A load is lifted within this time, and recorded as it was before.
  static let lift = Interval.milliseconds(200)

  let way: Way
  let happening: Happening
  let isTare: Bool
  /// The load in grams, and the press; one more of each than a tick after the last change.
  private(set) var loads: [Double] = []
  private(set) var touches: [Touch] = []

  init(using random: inout SplitMix64) {
    func among(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    way = Way.allCases.randomElement(using: &random) ?? .zone
    happening = Happening.allCases.randomElement(using: &random) ?? .nothing
    isTare = Bool.random(using: &random)
    let base = Double(among(20...200))
    // The press.
    var touches = [Touch](repeating: Touch(), count: 30)
    func hold(_ force: Double, _ ticks: Int, height: Double = 0.8) {
      for _ in 0..<ticks { touches.append(Touch(force: force, height: height, isDown: true)) }
    }
    let full = Double(among(174...180))
    switch way {
    case .zone:
      hold(full / 2, 1)
      hold(full, among(2...12))
      for step in 1...among(3...6) { hold(full, 1, height: max(0.8 - 0.12 * Double(step), 0.35)) }
      hold(full, among(4...20), height: 0.35)
    case .once, .twice:
      for _ in 1...(way == .once ? 1 : 2) {
        hold(full / 2, 1)
        hold(full, among(12...40))
        hold(full / 2, 1)
        hold(0, among(5...12))
      }
    case .key: hold(0, among(51...70))
    }
    let pressed = 30..<touches.count
    touches += [Touch](repeating: Touch(), count: 80)
    // The load.
    var loads = [Double](repeating: base, count: touches.count)
    let begin = among(pressed.lowerBound - 5...pressed.upperBound + 5)
    func set(_ mass: Double, from tick: Int) {
      for index in min(tick, loads.count)..<loads.count { loads[index] = mass }
    }
    func remove(from tick: Int) -> Int {
      let ticks = among(1...4)
      for step in 1...ticks { set(base * (1 - Double(step) / Double(ticks)), from: tick + step - 1) }
      return tick + ticks
    }
    switch happening {
    case .nothing: break
    case .removed: _ = remove(from: begin)
    case .swapped:
      let gone = remove(from: begin)
      let other = Bool.random(using: &random) ? base + Double(among(-10...10)) : Double(among(20...200))
      let back = gone + among(0...12)
      set(other / 2, from: back)
      set(other, from: back + 1)
    case .poured:
      let rate = Double(among(1...60)) / 50
      let end = min(begin + among(5...50), loads.count - 20)
      for index in begin..<max(end, begin) { set(base + rate * Double(index - begin + 1), from: index) }
    case .dragged:
      for index in begin..<(begin + among(3...20)) { loads[index] = base * Double(among(60...115)) / 100 }
    }
    self.loads = loads.map { ($0 * 2).rounded() / 2 }
    self.touches = touches
  }

  /// Whether a mass was on the pad at a time or just before, as for a load that is being lifted or poured.
  ///
  /// On a pad without positions, a finger that keeps pressing while the load is removed counts as the load.
  func lies(_ mass: Grams, at time: Interval) -> Bool {
    let last = Int(time.nanoseconds / Self.tick.nanoseconds)
    let first = Int(max((time.nanoseconds - Self.lift.nanoseconds) / Self.tick.nanoseconds, 0))
    return (first...last).map { min($0, loads.count - 1) }.contains { tick in
      let finger = way == .once || way == .twice ? touches[tick].force : 0
      return [0, finger].contains { (loads[tick] + $0 - mass.value).magnitude <= 2.5 }
    }
  }

  /// Presses; the masses that are recorded or tared, and when.
  func run() -> [(mass: Grams, time: Interval)] {
    let start = Instant(nanoseconds: 1_000_000_000)
    let isAdded = way == .once || way == .twice
    var machine = ScaleMachine(settings: ScaleSettings(), at: start)
    var masses: [(Grams, Interval)] = []
    func take(_ effects: [Effect]) {
      for effect in effects {
        switch effect {
        case .record(let draft):
          if case .weighing(let measurement) = draft.kind {
            masses.append((measurement.gross.mass, draft.time - start))
          }
        case .event(let event):
          if case .tared(let mass, _) = event.kind { masses.append((mass.mass, event.time - start)) }
        case .live, .reading, .settled, .contacts, .result, .gesture, .control, .feedback, .weighing, .lastWeighing,
          .actions,
          .memory,
          .padWarning, .sampling, .containers, .containerChange, .pendingLabel, .output, .learnedStops,
          .learnedStopChange:
          break
        }
      }
    }
    take(machine.handle(.padFound(isAdded ? .plain : .slots()), at: start))
    var shown: [Contact]?
    let action = isTare ? "tare" : "commit"
    for index in loads.indices {
      let now = start + Self.tick * index
      let touch = touches[index]
      var contacts: [Contact] = []
      let counts = Int(2 * (loads[index] + (isAdded ? touch.force : 0)))
      if counts > 0 { contacts.append(.load(counts)) }
      if way == .zone, touch.isDown {
        contacts.append(.finger(touch.force / 173, at: touch.height, x: isTare ? 0.05 : 0.95))
      }
      if contacts != shown { take(machine.handle(.frame(Frame(time: now, contacts: contacts)), at: now)) }
      shown = contacts
      if way == .key, index > 0, touch.isDown != touches[index - 1].isDown {
        take(
          machine.handle(
            .button(ButtonChange(button: 1, action: action, change: touch.isDown ? .pressed : .released)), at: now))
      }
      take(machine.advance(to: now))
    }
    take(machine.advance(to: start + Self.tick * loads.count + .seconds(3)))
    return masses
  }
}
