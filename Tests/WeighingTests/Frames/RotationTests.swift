import Testing
import Weighing

/// Positions are relative to the pad as mounted.
@Suite struct RotationTests {
  @Test(arguments: [
    (Rotation.none, Position(x: 0.25, y: 0)), (.quarter, Position(x: 1, y: 0.25)),
    (.half, Position(x: 0.75, y: 1)), (.threeQuarters, Position(x: 0, y: 0.75)),
  ])
  func aPlaceTurnsWithThePad(_ rotation: Rotation, _ expected: Position) throws {
    let feed = try EventFeed(.slots(), rotation: rotation)
    let contact = feed.frame(.id(1), .x(250), .y(0), .force(5))?.contacts.first
    #expect(contact?.position == expected)
    #expect(contact?.origin == expected)
    let moved = feed.frame(.x(500), .y(250))?.contacts.first
    #expect(moved?.position == Position(x: 0.5, y: 0.5))
    #expect(moved?.origin == expected)
  }

  @Test func fourQuarterTurnsAreNone() {
    var place = Position(x: 0.125, y: 0.75)
    for _ in 0..<4 { place = Rotation.quarter.apply(place) }
    #expect(place == Position(x: 0.125, y: 0.75))
    #expect(Rotation.quarter.apply(Rotation.threeQuarters.apply(place)) == place)
    #expect(Rotation.half.apply(place) == Rotation.quarter.apply(Rotation.quarter.apply(place)))
  }

  @Test(arguments: [(Int32(-1), 0.0), (.min, 0), (1001, 1), (.max, 1), (0, 0), (1000, 1)])
  func aPlaceBeyondTheRangeIsAtItsEdge(_ x: Int32, _ expected: Double) throws {
    let feed = try EventFeed(.slots())
    #expect(feed.frame(.id(1), .x(x), .force(5))?.contacts.first?.position?.x == expected)
  }
}
