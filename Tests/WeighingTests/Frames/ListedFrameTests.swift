import Testing
import Weighing

/// Protocol A: every frame lists all contacts.
@Suite struct ListedFrameTests {
  @Test func allListedContactsAreThere() throws {
    let feed = try EventFeed(.listed())
    let frame = feed.frame(.x(100), .y(50), .force(30), .end, .x(900), .y(450), .force(12), .end, .touch(1))
    #expect(frame?.counts == [30, 12])
    #expect(frame?.contacts.map(\.position) == [Position(x: 0.1, y: 0.1), Position(x: 0.9, y: 0.9)])
  }

  @Test func anEmptyListLiftsAll() throws {
    let feed = try EventFeed(.listed(keys: []))
    #expect(feed.frame(.x(100), .force(30), .end)?.counts == [30])
    #expect(feed.frame(.end)?.contacts == [])
    #expect(feed.frame()?.contacts == [])
  }

  @Test func theTouchKeyAloneLiftsAll() throws {
    let feed = try EventFeed(.listed())
    #expect(feed.frame(.x(100), .force(30), .end, .touch(1))?.counts == [30])
    #expect(feed.frame(.touch(0))?.contacts == [])
  }

  @Test(arguments: [Set([KeyCode.touch]), []])
  func aButtonLeavesTheContacts(_ keys: Set<KeyCode>) throws {
    let feed = try EventFeed(.listed(keys: keys))
    let before =
      keys.isEmpty
      ? feed.frame(.x(100), .force(30), .end) : feed.frame(.x(100), .force(30), .end, .touch(1))
    let button = feed.frame(.key(KeyCode(rawValue: 0x110), 1))
    #expect(button?.contacts == before?.contacts)
    #expect(button?.counts == [30])
  }

  @Test func aContactIsTheNearestOfTheFrameBefore() throws {
    let feed = try EventFeed(.listed())
    let first = try #require(
      feed.frame(.x(100), .y(100), .force(1), .end, .x(900), .y(400), .force(2), .end, .touch(1)))
    // Listed the other way round, both moved a little.
    let second = try #require(
      feed.frame(.x(880), .y(390), .force(2), .end, .x(120), .y(110), .force(1), .end))
    #expect(second.counts == first.counts)
    #expect(second.serials == first.serials)
    #expect(second.contacts.map(\.origin) == first.contacts.map(\.origin))
  }

  @Test func aLiftedOneIsNotTakenForAnother() throws {
    let feed = try EventFeed(.listed())
    let first = try #require(
      feed.frame(.x(100), .y(100), .force(1), .end, .x(900), .y(400), .force(2), .end, .touch(1)))
    let second = try #require(feed.frame(.x(900), .y(400), .force(2), .end))
    #expect(second.serials == [first.serials[1]])
    let third = try #require(feed.frame(.x(900), .y(400), .force(2), .end, .x(100), .y(100), .force(3), .end))
    #expect(third.serials[0] == first.serials[1])
    #expect(!first.serials.contains(third.serials[1]))
  }

  @Test func aTrackingIDGoesBeforeNearness() throws {
    let feed = try EventFeed(.listed(trackingID: true))
    let first = try #require(feed.frame(.id(4), .x(100), .force(1), .end, .id(5), .x(900), .force(2), .end, .touch(1)))
    // They have changed places.
    let second = try #require(feed.frame(.id(5), .x(100), .force(2), .end, .id(4), .x(900), .force(1), .end))
    #expect(second.serials == first.serials)
    #expect(second.counts == [1, 2])
  }
}
