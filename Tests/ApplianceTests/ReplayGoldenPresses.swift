import Recordings
import Weighing

/// Recordings of presses: in zones, of added force, and of keys.
///
/// Full force is 173 g by default, and a press is selected above 0.97 of it, 167.8 g.
extension ReplayGoldenRecordings {
  static let presses: [(name: String, take: Take)] = [
    ("press-confirmed", zonePress(.confirm)), ("press-slid-back", zonePress(.slideBack)),
    ("press-lifted-too-early", zonePress(.liftEarly)), ("press-falls-in-confirm-area", zonePress(.fallInside)),
    ("press-too-light", zonePress(.tooLight)), ("press-tare", zonePress(.confirm, x: 0.05)),
    ("press-quick-action", zonePress(.confirm)), ("press-second-finger", secondFinger), ("press-gap", gap),
    ("press-on-nothing", nothing), ("press-below-minimum", littleLoad), ("press-unstable", unstable),
    ("press-overload", overload),
    ("added-one-press", addedForce([1.2])), ("added-two-presses", addedForce([1.2, 2.3])),
    ("added-platter", platterPress), ("added-load-that-stays", loadThatStays), ("added-heavy-load", heavyLoad),
    ("added-no-headroom", noHeadroom), ("key-held-two-seconds", key(until: 3.2)), ("key-let-go-early", key(until: 3.1)),
    ("key-without-pad", keyWithoutPad), ("commit-and-void", commitAndVoid),
  ]

  private enum Course { case confirm, slideBack, liftEarly, fallInside, tooLight }

  private static let frames = Interval.milliseconds(20)

  /// 100 g, and from 1 s on a finger in a zone.
  private static func zonePress(_ course: Course, x: Double = 0.95) -> Take {
    Take(until: 3.4) { script in
      let load = script.place(Grams(100), at: .seconds(0.2))
      let (low, high) = (Position(x: x, y: 0.8), Position(x: x, y: 0.4))
      func after(_ seconds: Double, _ position: Position) -> (after: Interval, position: Position) {
        (.seconds(seconds), position)
      }
      switch course {
      case .confirm:
        script.press(
          at: .seconds(1), position: low, profile: [(.seconds(0.3), Grams(180)), (.seconds(0.6), Grams(180))],
          slide: [after(0.4, low), after(0.6, high)])
      case .slideBack:
        script.press(
          at: .seconds(1), position: low, profile: [(.seconds(0.3), Grams(180)), (.seconds(1), Grams(180))],
          slide: [after(0.4, low), after(0.6, high), after(0.8, high), after(1, low)])
      case .liftEarly:
        script.press(
          at: .seconds(1), position: low, profile: [(.seconds(0.3), Grams(180)), (.seconds(0.4), Grams(180))])
      case .fallInside:
        script.press(
          at: .seconds(1), position: low,
          profile: [
            (.seconds(0.3), Grams(180)), (.seconds(0.4), Grams(180)), (.seconds(0.3), Grams(20)),
            (.seconds(0.2), Grams(20)),
          ],
          slide: [after(0.4, low), after(0.6, high)])
      case .tooLight:
        script.press(
          at: .seconds(1), position: low, profile: [(.seconds(0.3), Grams(167)), (.seconds(0.6), Grams(167))],
          slide: [after(0.4, low), after(0.6, high)])
      }
      script.remove(load, at: .seconds(2.8))
    }
  }

  private static func confirm(_ script: inout LoadScript, at time: Double, x: Double = 0.95) {
    let (low, high) = (Position(x: x, y: 0.8), Position(x: x, y: 0.4))
    script.press(
      at: .seconds(time), position: low, profile: [(.seconds(0.3), Grams(180)), (.seconds(0.6), Grams(180))],
      slide: [(.seconds(0.4), low), (.seconds(0.6), high)])
  }

  /// Confirmed already when another finger comes down in the other zone.
  private static let secondFinger = Take(until: 3) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    confirm(&script, at: 1)
    script.press(
      at: .seconds(1.7), position: Position(x: 0.05, y: 0.5),
      profile: [(.milliseconds(60), Grams(40)), (.milliseconds(400), Grams(40))])
    script.remove(load, at: .seconds(2.6))
  }

  /// Events are lost while the finger is in the confirm area.
  private static let gap = {
    var take = Take(until: 3) { script in
      let load = script.place(Grams(100), at: .seconds(0.2))
      confirm(&script, at: 1)
      script.remove(load, at: .seconds(2.6))
    }
    take.lost = .seconds(1.7)
    return take
  }()

  private static let nothing = Take(until: 2.2) { confirm(&$0, at: 0.4) }

  private static let littleLoad = Take(until: 3) { script in
    let load = script.place(Grams(1.4), at: .seconds(0.2))
    confirm(&script, at: 1.4)
    script.remove(load, at: .seconds(2.8))
  }

  private static let unstable = Take(until: 4.4) { script in
    let bowl = script.place(Grams(100), at: .seconds(0.2))
    script.stir(bowl, at: .seconds(0.4), for: .seconds(3.4), amplitude: Grams(20), frequency: 3)
    confirm(&script, at: 0.6)
    script.remove(bowl, at: .seconds(4.2))
  }

  private static let overload = Take(until: 2.8) { script in
    let brick = script.place(Grams(395), at: .seconds(0.2))
    confirm(&script, at: 1)
    script.remove(brick, at: .seconds(2.4))
  }.stating(upTo: 700)

  /// A pad that knows no positions: 100 g, pressed on top.
  private static func addedForce(_ presses: [Double]) -> Take {
    Take(until: 4.6) { script in
      let load = script.place(Grams(100), at: .seconds(0.2))
      for time in presses { add(&script, Grams(180), to: load, at: time) }
      script.remove(load, at: .seconds(4.2))
    }.reporting(.plain(AxisCode(rawValue: 0x28)))
  }

  /// A press of 0.7 s.
  private static func add(_ script: inout LoadScript, _ force: Grams, to load: LoadScript.Thing, at time: Double) {
    script.add(force, to: load, at: .seconds(time), over: .milliseconds(120))
    script.add(Grams(0) - force, to: load, at: .seconds(time + 0.7), over: .milliseconds(100))
  }

  private static let platterPress = Take(until: 5) { script in
    script.place(Grams(50), at: .seconds(0.2), position: Position(x: 0.4, y: 0.5))
    let load = script.place(Grams(100), at: .seconds(1.2), position: Position(x: 0.6, y: 0.5))
    add(&script, Grams(180), to: load, at: 2.2)
    script.remove(load, at: .seconds(4.4))
  }

  private static let loadThatStays = Take(until: 5.2) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    script.add(Grams(200), to: load, at: .seconds(1.2))
    script.remove(load, at: .seconds(4.8))
  }.reporting(.plain(AxisCode(rawValue: 0x28)))

  /// 85 g are left under the capacity, so that 85 g fill the ring.
  private static let heavyLoad = Take(until: 4.6) { script in
    let load = script.place(Grams(300), at: .seconds(0.2))
    add(&script, Grams(84), to: load, at: 1.2)
    script.remove(load, at: .seconds(4.2))
  }.reporting(.plain(AxisCode(rawValue: 0x28)))

  private static let noHeadroom = Take(until: 4.6) { script in
    let load = script.place(Grams(375), at: .seconds(0.2))
    add(&script, Grams(9), to: load, at: 1.2)
    script.remove(load, at: .seconds(4.2))
  }.reporting(.plain(AxisCode(rawValue: 0x28)))

  /// 100 g, and Enter held from 1.2 s on.
  private static func key(until end: Double) -> Take {
    var take = Take(until: 3.6) { script in
      let load = script.place(Grams(100), at: .seconds(0.2))
      script.remove(load, at: .seconds(3.4))
    }
    take.keys = [(.seconds(1.2), 1), (.seconds(1.5), 2), (.seconds(end), 0)]
    return take
  }

  /// A keyboard: the scale has no pad, and says so.
  private static let keyWithoutPad = {
    var take = Take(until: 0.1) { _ in }
    take.isKeyboard = true
    take.keys = [(.seconds(0.5), 1), (.seconds(2.5), 0)]
    return take
  }()

  private static let commitAndVoid = Take(until: 3) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    script.remove(load, at: .seconds(2.6))
  }
}
