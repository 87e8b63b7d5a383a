import Testing
import Weighing

/// Force added on top of a load of 100 g: pads without positions, and platters.
@Suite struct AddedForceTests {
  /// A plain pad, or a platter with its plate learned; with a load of 100 g, and the counts that it reads.
  static func loaded(
    _ surface: ScaleSettings.Surface = .contacts, grams: Int = 100, _ change: (inout ScaleSettings) -> Void = { _ in }
  ) -> (HandFedScale, base: Int) {
    var settings = ScaleSettings()
    settings.surface = surface
    change(&settings)
    var scale = HandFedScale(settings, pad: surface == .platter ? .slots() : .plain)
    if surface == .platter { scale.settle(100) }
    let base = (surface == .platter ? 100 : 0) + 2 * grams
    scale.settle(base)
    _ = scale.take()
    return (scale, base)
  }

  @Test(arguments: ScaleSettings.Surface.allCases)
  func onePressCommits(_ surface: ScaleSettings.Surface) {
    var (scale, base) = Self.loaded(surface)
    scale.press(on: base)
    scale.wait(.milliseconds(700))
    var effects = scale.take()
    #expect(effects.drafts.isEmpty, "a second press may follow")
    #expect(effects.states == [.updating, .selected, .confirmed, .idle])
    #expect(effects.feedback == [.selected, .confirmed, .ended])
    #expect(effects.settled.isEmpty)
    #expect(effects.gestures.filter { $0.intention >= 0.25 }.allSatisfy { $0.preview?.reading?.net?.steps == 100 })
    #expect(effects.live.contains { $0.state == .pressing && !$0.isStable })
    scale.wait(.milliseconds(300))
    effects = scale.take()
    #expect(effects.nets == [100] && effects.tares.isEmpty)
    #expect(effects.drafts.first?.request.source == .pad)
    scale.wait(.seconds(10))
    #expect(scale.take().drafts.isEmpty)
    #expect(scale.reading.printable == "100 g" && scale.reading.isStable)
  }

  @Test(arguments: ScaleSettings.Surface.allCases)
  func twoPressesTare(_ surface: ScaleSettings.Surface) {
    var (scale, base) = Self.loaded(surface)
    scale.press(on: base)
    scale.wait(.milliseconds(200))
    scale.press(on: base)
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.tares == [100] && effects.drafts.isEmpty)
    #expect(effects.gestures.last { $0.state == .confirmed }?.action == "tare")
    #expect(scale.reading.printable == "0 g")
  }

  /// The force falls, but not to that of the load.
  @Test(arguments: ScaleSettings.Surface.allCases)
  func twoPressesWithoutLettingGoTare(_ surface: ScaleSettings.Surface) {
    var (scale, base) = Self.loaded(surface)
    for force in [346, 100, 346] {
      scale.frame(base + force)
      scale.wait(.milliseconds(force > 200 ? 600 : 60))
    }
    scale.frame(base)
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.tares == [100] && effects.drafts.isEmpty)
  }

  /// The hand trembles: the force falls below the threshold, but not far.
  @Test(arguments: [(300, true), (250, false)])
  func aDipBeforeThePressIsConfirmed(_ counts: Int, _ fires: Bool) {
    var (scale, base) = Self.loaded()
    for force in [346, counts, 346, counts, 346, 0] {
      scale.frame(base + force)
      scale.wait(.milliseconds(120))
    }
    scale.wait(.seconds(2))
    #expect(scale.take().nets == (fires ? [100] : []))
  }

  @Test func theSecondPressHasToBeginInTime() {
    var (scale, base) = Self.loaded()
    for _ in 1...2 {
      scale.press(on: base)
      scale.wait(.milliseconds(900))
    }
    #expect(scale.take().nets == [100, 100])
  }

  /// The commit does not wait for a second press that cannot come.
  @Test func aLiftFiresAtOnce() {
    var (scale, base) = Self.loaded()
    scale.press(on: base)
    scale.wait(.milliseconds(60))
    scale.frame()
    #expect(scale.take().nets == [100])
  }

  /// It was confirmed and let go, and only waited for a second press.
  @Test func anUnpluggedPadFiresAtOnce() {
    var (scale, base) = Self.loaded()
    scale.press(on: base)
    scale.wait(.milliseconds(200))
    #expect(scale.take().drafts.isEmpty)
    scale.handle(.padLost("unplugged"))
    #expect(scale.take().nets == [100])
  }

  /// A platter with all taken off it, the plate too, has not come back to its load.
  @Test func aPlateTakenAwayDoesNotFire() {
    var (scale, base) = Self.loaded(.platter)
    scale.frame(base + 346)
    scale.wait(.milliseconds(600))
    scale.frame(base)
    scale.wait(HandFedScale.period)
    scale.frame()
    scale.wait(.seconds(5))
    #expect(scale.take().nets.isEmpty)
  }

  @Test func aLoadThatStaysIsAnnouncedAfterAWhile() throws {
    var (scale, base) = Self.loaded()
    let put = scale.now
    scale.frame(base + 400)
    scale.wait(.seconds(5))
    let effects = scale.take()
    #expect(effects.settled.map(\.printable) == ["300 g"])
    #expect(try #require(effects.settled.first).time <= put + .milliseconds(2800))
  }

  /// Less than a press is a load without delay.
  @Test(arguments: [20, 100, 300])
  func aSmallLoadSettlesAsEver(_ counts: Int) throws {
    var (scale, base) = Self.loaded()
    let put = scale.now
    scale.frame(base + counts)
    scale.wait(.seconds(1))
    #expect(try #require(scale.take().settled.first).time <= put + .milliseconds(450))
  }

  /// Near the capacity the ring takes less force; the press may run into overload and back.
  @Test(arguments: ScaleSettings.Surface.allCases)
  func littleHeadroomShrinksTheForce(_ surface: ScaleSettings.Surface) {
    var (scale, base) = Self.loaded(surface, grams: 345)
    scale.press(on: base, by: 79)
    scale.wait(.seconds(2))
    #expect(scale.take().nets == [345])
    scale.press(on: base, by: 200)
    scale.wait(.seconds(2))
    let effects = scale.take()
    #expect(effects.nets == [345])
    #expect(effects.live.contains { $0.state == .overload })
    #expect(effects.settled.isEmpty, "it is the load that was announced before")
    scale.press(on: base, by: 400)
    scale.wait(.seconds(2))
    #expect(scale.take().nets == [345])
  }

  @Test func withoutHeadroomItSaysSo() {
    var (scale, base) = Self.loaded(grams: 370)
    #expect(scale.take().states.isEmpty)
    scale.hold(Double(base), for: .seconds(20))
    scale.press(on: base, by: 60)
    scale.wait(.seconds(2))
    var effects = scale.take()
    #expect(effects.gestures.isEmpty && effects.drafts.isEmpty, "said when it came to rest")
    scale.ask(.commit)
    effects = scale.take()
    #expect(effects.nets == [370], "the other ways remain")
    scale.frame()
    effects = scale.take()
    #expect(effects.states == [.idle])
    scale.settle(740)
    #expect(scale.take().gestures.map(\.state) == [.unavailable])
  }

  /// On the edge of the room that is left, noise does not flicker between one and the other.
  @Test func theEdgeOfTheRoomIsDecidedOnce() {
    var (scale, base) = Self.loaded(grams: 363)
    scale.hold(Double(base) + 0.75, for: .seconds(60))
    #expect(scale.take().gestures.count <= 1)
  }

  @Test func aTareDuringAPressVoidsTheLatch() {
    var (scale, base) = Self.loaded { $0.confirm.settle = .seconds(5) }
    scale.ask(.tare)
    scale.settle(base)
    scale.frame(base + 346)
    scale.wait(.milliseconds(600))
    scale.ask(.clearTare)
    scale.frame(base)
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.nets == [100])
    #expect(effects.drafts.first.map { $0.time >= scale.now + .seconds(-3) } == true)
  }

  /// A key cancels; the force that stays is spent until a load has come to rest.
  @Test func aKeyCancelsAPress() {
    var (scale, base) = Self.loaded()
    scale.frame(base + 346)
    scale.wait(.milliseconds(100))
    scale.key(.pressed)
    scale.key(.released)
    scale.frame(base + 345)
    scale.wait(.milliseconds(200))
    scale.frame(base)
    scale.wait(.seconds(3))
    #expect(scale.take().drafts.isEmpty)
  }

  /// A first press does not wait for a key that is held.
  @Test func aHeldKeyDoesNotHoldUpAPress() {
    var (scale, base) = Self.loaded()
    scale.press(on: base)
    scale.wait(.milliseconds(100))
    scale.key(.pressed, action: "void")
    scale.wait(.seconds(1))
    #expect(scale.take().nets == [100])
  }
}
