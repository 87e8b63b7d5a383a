import Recordings
import Weighing

/// Recordings of presses that fire nothing, or another load than the one before them.
extension ReplayGoldenRecordings {
  static let cancels: [(name: String, take: Take)] = [
    ("press-times-out", press(for: 1.9)), ("press-leaves-sideways", dragged(to: Position(x: 0.7, y: 0.4))),
    ("press-lifted-too-soon", press(for: 0.55)), ("press-pulled-off", dragged(to: Position(x: 0.95, y: 0))),
    ("press-strap", dragged(to: Position(x: 0.02, y: 0.3))), ("press-load-gone", loadGone),
    ("press-load-swapped", loadSwapped), ("press-poured", poured), ("added-load-swapped", addedSwap),
    ("added-third-press", thirdPress),
  ]

  private static let (low, high) = (Position(x: 0.95, y: 0.8), Position(x: 0.95, y: 0.4))

  /// A full press from 1 s on; it reaches the confirm area after 0.53 s.
  private static func confirm(_ script: inout LoadScript, for seconds: Double = 0.9) {
    script.press(
      at: .seconds(1), position: low, profile: [(.seconds(0.3), Grams(180)), (.seconds(seconds - 0.3), Grams(180))],
      slide: [(.seconds(0.4), low), (.seconds(0.6), high)])
  }

  private static func press(for seconds: Double) -> Take {
    Take(until: 3.6) { script in
      let load = script.place(Grams(100), at: .seconds(0.2))
      confirm(&script, for: seconds)
      script.remove(load, at: .seconds(3.4))
    }
  }

  /// Pressed in the right strip and dragged away within half a second.
  private static func dragged(to end: Position) -> Take {
    Take(until: 3) { script in
      let load = script.place(Grams(100), at: .seconds(0.2))
      script.press(
        at: .seconds(1), position: low, profile: [(.seconds(0.3), Grams(180)), (.seconds(0.6), Grams(180))],
        slide: [(.seconds(0.4), low), (.seconds(0.9), end)])
      script.remove(load, at: .seconds(2.6))
    }
  }

  private static let loadGone = Take(until: 3) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    confirm(&script)
    script.remove(load, at: .seconds(1.4))
  }

  private static let loadSwapped = Take(until: 3.6) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    confirm(&script)
    script.remove(load, at: .seconds(1.2))
    let other = script.place(Grams(250), at: .seconds(1.6))
    script.remove(other, at: .seconds(3.2))
  }

  /// 20 g/s from 1.2 s to 2.7 s.
  private static let poured = Take(until: 4.4) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    confirm(&script)
    script.drip(20, into: load, at: .seconds(1.2), for: .seconds(1.5))
    script.remove(load, at: .seconds(4))
  }

  /// 8 g come while the force is on: the jar is another one.
  private static let addedSwap = Take(until: 4.6) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    script.add(Grams(180), to: load, at: .seconds(1.2), over: .milliseconds(120))
    script.add(Grams(8), to: load, at: .seconds(1.5), over: .milliseconds(100))
    script.add(Grams(-180), to: load, at: .seconds(1.9), over: .milliseconds(100))
    script.remove(load, at: .seconds(4.2))
  }.reporting(.plain(AxisCode(rawValue: 0x28)))

  /// Kneading: three times 0.6 s, with 0.2 s in between.
  private static let thirdPress = Take(until: 5.6) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    for time in [1.2, 2.0, 2.8] {
      script.add(Grams(180), to: load, at: .seconds(time), over: .milliseconds(100))
      script.add(Grams(-180), to: load, at: .seconds(time + 0.5), over: .milliseconds(100))
    }
    script.remove(load, at: .seconds(5.2))
  }.reporting(.plain(AxisCode(rawValue: 0x28)))
}
