import Testing
import Weighing

/// The Wii Balance Board: four corners of 34 kg in units of 10 g.
@Suite struct BalanceBoardTests {
  /// The values of the corners: top right, bottom right, top left, bottom left.
  typealias Corners = (topRight: Int32, bottomRight: Int32, topLeft: Int32, bottomLeft: Int32)

  private static func items(_ corners: Corners) -> [EventFeed.Item] {
    [
      .axis(.hat0X, corners.topRight), .axis(.hat0Y, corners.bottomRight), .axis(.hat1X, corners.topLeft),
      .axis(.hat1Y, corners.bottomLeft),
    ]
  }

  private func frame(_ corners: Corners, on feed: EventFeed) -> Frame? {
    for item in Self.items(corners) { _ = feed.all(item) }
    return feed.frame()
  }

  @Test func itIsFoundByItself() throws {
    let pad = PadDescription.balanceBoard
    let axis = try pad.loadAxis(.automatic)
    #expect(axis.kind == .corners && axis.carriesPlate)
    #expect(axis.range.minimum == 0 && axis.range.maximum == 3400, "not what the driver states")
    #expect(axis.countsPerGram == 0.1)
    #expect(axis.largestSum == RawForce(13_600))
    #expect(axis.name == "ABS_HAT0X+ABS_HAT0Y+ABS_HAT1X+ABS_HAT1Y")
    #expect(pad.hasPositions(for: axis))
    #expect(try pad.loadAxis(.sum([.hat1Y, .hat0Y, .hat1X, .hat0X])) == axis, "in any order")
    let scale = try #require(pad.recommendedScale)
    #expect(scale.capacity == Grams(136_000) && scale.division == Grams(10))
  }

  @Test func itsCornersMayAlsoBeNamed() throws {
    let pad = PadDescription.balanceBoard
    let one = try pad.loadAxis(.named(.hat1X))
    #expect(one.kind == .plain && one.range.maximum == 3400 && one.countsPerGram == 0.1 && !one.carriesPlate)
    let two = try pad.loadAxis(.sum([.hat0X, .hat1X]))
    #expect(two.kind == .sum && two.fullScale == RawForce(3400) && two.countsPerGram == 0.1 && !two.carriesPlate)
    #expect(!pad.hasPositions(for: two))
  }

  @Test func anotherDeviceWithSuchAxesIsNone() throws {
    var pad = PadDescription.balanceBoard
    pad.name = "Nintendo Wii Remote IR"
    #expect(pad.recommendedScale == nil)
    #expect(throws: UnsuitablePadError.noPressureAxis) { try pad.loadAxis(.automatic) }
    let sum = try pad.loadAxis(.sum([.hat0X, .hat0Y, .hat1X, .hat1Y]))
    #expect(sum.kind == .sum && sum.fullScale == RawForce(65_535) && sum.countsPerGram == nil)
    var partial = PadDescription.balanceBoard
    partial.axes[.hat1Y] = nil
    #expect(throws: UnsuitablePadError.noPressureAxis) { try partial.loadAxis(.automatic) }
  }

  @Test(arguments: [
    (Corners(100, 0, 0, 0), Position(x: 1, y: 0)), (Corners(0, 100, 0, 0), Position(x: 1, y: 1)),
    (Corners(0, 0, 100, 0), Position(x: 0, y: 0)), (Corners(0, 0, 0, 100), Position(x: 0, y: 1)),
    (Corners(10, 10, 10, 10), Position(x: 0.5, y: 0.5)), (Corners(30, 30, 10, 10), Position(x: 0.75, y: 0.5)),
    (Corners(10, 30, 0, 0), Position(x: 1, y: 0.75)),
  ])
  func theLoadIsAtTheCentreOfForce(_ corners: Corners, _ expected: Position) throws {
    let contact = try frame(corners, on: EventFeed(.balanceBoard))?.contacts.first
    #expect(contact?.position == expected)
    #expect(contact?.raw.counts == Int(corners.0 + corners.1 + corners.2 + corners.3))
    let turned = try frame(corners, on: EventFeed(.balanceBoard, rotation: .half))?.contacts.first
    #expect(turned?.position == Position(x: 1 - expected.x, y: 1 - expected.y))
  }

  @Test(arguments: [(Int32(3399), false), (3400, true), (5000, true)])
  func aCornerAtItsEndIsAnOverload(_ counts: Int32, _ isAtMaximum: Bool) throws {
    let contact = try frame(Corners(0, counts, 0, 0), on: EventFeed(.balanceBoard))?.contacts.first
    #expect(contact?.isAtMaximum == isAtMaximum)
  }

  private static var settings: ScaleSettings {
    var settings = ScaleSettings()
    settings.scale.capacity = Grams(136_000)
    settings.scale.division = Division(Grams(10)) ?? .gram
    settings.stability.motion = Grams(50)
    return settings
  }

  private func put(_ corners: Corners, on scale: inout HandFedScale, _ feed: EventFeed) {
    scale.frame(frame(corners, on: feed)?.contacts ?? [])
    scale.wait(.seconds(2))
  }

  /// A zone would take a load at the edge for a press; on a platter it is weighed wherever it lies.
  @Test func itWeighsFromEdgeToEdge() throws {
    var scale = HandFedScale(Self.settings, pad: .balanceBoard)
    let feed = try EventFeed(.balanceBoard)
    put(Corners(10, 12, 9, 11), on: &scale, feed)
    #expect(scale.reading.state == .empty, "what rests on the board at first is its plate")
    for corners in [Corners(10, 12, 1009, 1011), Corners(1010, 1012, 9, 11), Corners(510, 512, 509, 511)] {
      put(corners, on: &scale, feed)
      #expect(scale.reading.printable == "20000 g")
      #expect(scale.reading.state == .stable && scale.reading.calibration == .kernel)
    }
    put(Corners(3010, 3012, 3009, 3011), on: &scale, feed)
    #expect(scale.reading.printable == "120000 g", "more than one corner can carry")
    put(Corners(3400, 12, 9, 11), on: &scale, feed)
    #expect(scale.reading.isOverloaded)
    put(Corners(10, 12, 9, 11), on: &scale, feed)
    #expect(scale.reading.state == .empty)
  }

  /// The board goes to sleep and comes back; the plate is that of before.
  @Test func thePlateOutlastsAReconnection() throws {
    var scale = HandFedScale(Self.settings, pad: .balanceBoard)
    let feed = try EventFeed(.balanceBoard)
    put(Corners(10, 12, 9, 11), on: &scale, feed)
    _ = scale.take()
    scale.handle(.padLost("asleep"))
    scale.wait(.seconds(1))
    for case .memory(let memory, _) in scale.take() { #expect(memory.plateCounts != nil) }
    scale.handle(.padFound(.balanceBoard))
    put(Corners(1010, 12, 9, 11), on: &scale, feed)
    #expect(scale.reading.printable == "10000 g")
  }

  @Test func contactsArePublishedWithTheirPosition() throws {
    var settings = Self.settings
    settings.publish.contacts = true
    var scale = HandFedScale(settings, pad: .balanceBoard)
    let feed = try EventFeed(.balanceBoard)
    put(Corners(100, 100, 300, 300), on: &scale, feed)
    let entry = scale.take().contacts.last?.entries.first
    #expect(entry?.contact.position == Position(x: 0.25, y: 0.5))
    #expect(entry?.weighs == true)
  }
}
