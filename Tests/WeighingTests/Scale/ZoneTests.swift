import Testing
import Weighing

/// What comes down in a zone is a press and never a load.
@Suite struct ZoneTests {
  private func contact(_ serial: UInt64, from x0: Double, to x: Double? = nil, _ counts: Int) -> Contact {
    let origin = Position(x: x0, y: 0.5)
    return Contact(
      serial: serial, position: Position(x: x ?? x0, y: 0.5), origin: origin, raw: RawForce(counts),
      isAtMaximum: counts >= 1000)
  }

  @Test(arguments: [0, 0.1, 0.15, 0.85, 0.9, 1])
  func aPressWeighsNothing(_ x: Double) {
    var scale = HandFedScale()
    scale.frame([contact(1, from: x, 300)])
    #expect(scale.reading.state == .pressing)
    #expect(scale.reading.raw == .zero && scale.reading.printable == "0 g")
    scale.frame([contact(1, from: x, to: 0.5, 1000)])
    #expect(scale.reading.state == .pressing, "it may slide, and press as hard as it likes")
    scale.frame()
    #expect(scale.reading.state == .empty)
  }

  @Test(arguments: [0.16, 0.5, 0.84])
  func aLoadRemainsOneWhenItSlides(_ x: Double) {
    var scale = HandFedScale()
    scale.frame([contact(1, from: x, to: 0.05, 300)])
    scale.wait(.seconds(1))
    #expect(scale.reading.state == .stable)
    #expect(scale.reading.printable == "150 g")
  }

  @Test func aPressDoesNotDisturbTheLoad() {
    var scale = HandFedScale()
    scale.settle(300)
    let settled = scale.take().settled.count
    for force in [20, 100, 200, 100, 20] {
      scale.frame([contact(1, from: 0.5, 300), contact(2, from: 0.05, force)])
      scale.wait(.milliseconds(40))
      #expect(scale.reading.state == .pressing)
      #expect(scale.reading.printable == "150 g")
      #expect(scale.reading.isStable)
    }
    scale.settle(300)
    #expect(scale.reading.state == .stable)
    #expect(settled == 1 && scale.take().settled.isEmpty, "it is the same load")
  }

  @Test func withoutZonesThePadWeighsEverywhere() {
    var settings = ScaleSettings()
    settings.zones = .none
    var scale = HandFedScale(settings)
    scale.frame([contact(1, from: 0.05, 300)])
    scale.wait(.seconds(1))
    #expect(scale.reading.printable == "150 g")
  }

  @Test func aPadWithoutPositionsWeighsEverywhere() {
    var scale = HandFedScale(pad: .single(hasPositions: false))
    scale.frame([contact(1, from: 0.05, 300)])
    #expect(scale.reading.raw == RawForce(300))
  }

  @Test func aReportTellsPressesFromLoads() throws {
    var settings = ScaleSettings()
    settings.publish.contacts = true
    var scale = HandFedScale(settings)
    scale.frame([contact(1, from: 0.5, 300), contact(2, from: 0.05, 2000)])
    let report = try #require(scale.take().contacts.first)
    #expect(report.entries.map(\.weighs) == [true, false])
    #expect(report.entries.map(\.force) == [0.3, 1])
    #expect(report.time == scale.now)
    scale.change { $0.publish.contacts = false }
    scale.frame([contact(1, from: 0.5, 300)])
    #expect(scale.take().contacts.isEmpty)
  }

  @Test(arguments: [
    (Position?.none, String?.none), (Position(x: 0.5, y: 0.5), nil), (Position(x: 0, y: 1), "tare"),
    (Position(x: 1, y: 0), "commit"),
  ])
  func aPlaceIsInAtMostOneZone(_ place: Position?, _ action: String?) {
    #expect(Zones.standard.zone(at: place)?.purpose == action.map(Zones.Purpose.action))
    #expect(Zones.none.zone(at: place) == nil)
  }
}
