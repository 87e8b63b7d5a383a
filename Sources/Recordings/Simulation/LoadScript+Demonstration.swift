import Weighing

extension LoadScript {
  /// An endless and friendly show for `demo`, a minute long: weights that come and go, beans and coffee, an overload.
  public static var demonstration: LoadScript {
    var script = LoadScript(repeatingEvery: .seconds(60))

    // Two weights one after the other, both off.
    let first = script.place(Grams(100), at: .seconds(1))
    let second = script.place(Grams(50), at: .seconds(4), position: Position(x: 0.35, y: 0.6))
    script.remove(second, at: .seconds(7))
    script.remove(first, at: .seconds(9))

    // A cup, coffee dripping into it, stirred and knocked against.
    let cup = script.place(Grams(84), at: .seconds(12), speed: 0.04)
    script.drip(6, into: cup, at: .seconds(16), for: .seconds(20))
    script.stir(cup, at: .seconds(39), for: .seconds(2))
    script.nudge(cup, at: .seconds(43))
    script.remove(cup, at: .seconds(46))

    // Too much for a moment, then a letter.
    let brick = script.place(Grams(410), at: .seconds(49), speed: 0.03)
    script.remove(brick, at: .seconds(52))
    let letter = script.place(Grams(17), at: .seconds(54), speed: 0.01)
    script.remove(letter, at: .seconds(58))
    return script
  }
}
