import Weighing

extension LoadScript {
  /// An endless and friendly show for `demo`, a minute long: weights that come and go, coffee
  /// on a tare, an overload, and a user who confirms by force.
  public static var demonstration: LoadScript {
    var script = LoadScript(repeatingEvery: .seconds(60))
    let (tare, commit) = (0.07, 0.93)

    // Two weights one after the other, both off.
    let first = script.place(Grams(100), at: .seconds(1))
    let second = script.place(Grams(50), at: .seconds(4), position: Position(x: 0.35, y: 0.6))
    script.confirm(at: .seconds(5.4), x: commit)
    script.remove(second, at: .seconds(7.4))
    script.remove(first, at: .seconds(9))

    // A cup, coffee dripping into it, stirred and knocked against.
    let cup = script.place(Grams(84), at: .seconds(12), speed: 0.04)
    script.confirm(at: .seconds(13.6), x: tare)
    script.drip(6, into: cup, at: .seconds(16), for: .seconds(20))
    script.stir(cup, at: .seconds(39), for: .seconds(2))
    script.nudge(cup, at: .seconds(43))
    script.confirm(at: .seconds(44.4), x: commit)
    script.remove(cup, at: .seconds(46.4))

    // Too much for a moment, then a letter.
    let brick = script.place(Grams(410), at: .seconds(49), speed: 0.03)
    script.remove(brick, at: .seconds(52))
    let letter = script.place(Grams(17), at: .seconds(54), speed: 0.01)
    script.remove(letter, at: .seconds(58))
    return script
  }

  /// Presses in a zone until the ring is full, slides up and releases, like a practised user.
  ///
  /// - Parameter x: Where on the pad's width, 0...1.
  public mutating func confirm(at time: Interval, x: Double) {
    press(
      at: time, position: Position(x: x, y: 0.7),
      profile: [
        (over: .milliseconds(450), force: Grams(190)), (over: .milliseconds(650), force: Grams(200)),
        (over: .milliseconds(80), force: .zero),
      ],
      slide: [
        (after: .milliseconds(550), position: Position(x: x, y: 0.7)),
        (after: .milliseconds(850), position: Position(x: x, y: 0.35)),
      ])
  }
}
