import Testing
import Weighing

/// Pads for one touch, and axes that are a load by themselves.
@Suite struct SingleFrameTests {
  @Test func theTouchKeySaysWhetherSomethingPresses() throws {
    let feed = try EventFeed(.single())
    #expect(feed.frame(.axis(.pressure, 40))?.contacts == [])
    let down = feed.frame(.touch(1), .axis(.x, 500), .axis(.y, 250))
    #expect(down?.counts == [40])
    #expect(down?.contacts.first?.position == Position(x: 0.5, y: 0.5))
    #expect(feed.frame(.touch(0))?.contacts == [])
    let again = feed.frame(.touch(1))
    #expect(again?.counts == [40])
    #expect(again?.serials != down?.serials)
  }

  /// A touch without pressure yet is a contact that weighs nothing.
  @Test func aTouchMayWeighNothing() throws {
    let feed = try EventFeed(.single())
    #expect(feed.frame(.touch(1))?.counts == [0])
  }

  @Test func withoutTheKeyThePressureSaysIt() throws {
    let feed = try EventFeed(.single(hasTouchKey: false, minimum: 10))
    #expect(feed.frame(.axis(.pressure, 10))?.contacts == [])
    #expect(feed.frame(.axis(.pressure, 11))?.counts == [11])
    #expect(feed.frame(.axis(.pressure, 0))?.contacts == [])
  }

  @Test func withoutPositionsThereAreNone() throws {
    let feed = try EventFeed(.single(hasPositions: false))
    let contact = feed.frame(.touch(1), .axis(.pressure, 5))?.contacts.first
    #expect(contact?.position == nil)
    #expect(contact?.origin == nil)
  }

  @Test(arguments: [
    (name: "from its minimum", AxisRange(minimum: -500, maximum: 500), value: Int32(-100), counts: [400]),
    (name: "at its minimum", AxisRange(minimum: -500, maximum: 500), value: -500, counts: []),
    (name: "at its maximum", AxisRange(minimum: -500, maximum: 500), value: 500, counts: [1000]),
    (name: "from above zero", AxisRange(minimum: 100, maximum: 200), value: 150, counts: [50]),
    (
      name: "over the whole range of numbers", AxisRange(minimum: .min, maximum: .max), value: .max,
      counts: [Int(UInt32.max)]
    ),
  ])
  func aPlainAxisIsTheLoad(name: String, range: AxisRange, value: Int32, counts: [Int]) throws {
    let throttle = AxisCode(rawValue: 6)
    let feed = try EventFeed(PadDescription(name: "cell", axes: [throttle: range]), axis: .named(throttle))
    #expect(feed.frame()?.contacts == [], "nothing is known before the first value")
    let frame = feed.frame(.axis(throttle, value))
    #expect(frame?.counts == counts)
    #expect(frame?.contacts.first?.position == nil)
    #expect(frame?.contacts.first?.isAtMaximum ?? false == (value == range.maximum))
  }
}
