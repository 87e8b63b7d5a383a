import Testing
import Weighing

/// Lost events: the rest of their frame is discarded, and the next frame reports the gap.
@Suite struct FrameGapTests {
  @Test func whatFollowsADropUpToTheReportIsNotBelieved() throws {
    let feed = try EventFeed(.slots())
    _ = feed.frame(.id(1), .force(10))
    #expect(feed.all(.dropped, .force(999), .id(-1), .report).isEmpty)
    let next = try #require(feed.frame(.force(20)))
    #expect(next.followsGap)
    #expect(next.counts == [20])
    #expect(feed.frame(.force(21))?.followsGap == false)
  }

  @Test func aListBrokenByADropIsForgotten() throws {
    let feed = try EventFeed(.listed())
    _ = feed.frame(.x(1), .force(10), .end, .touch(1))
    #expect(feed.all(.x(5), .force(11), .end, .x(6), .dropped, .force(12), .end, .report).isEmpty)
    let next = try #require(feed.frame(.x(1), .force(13), .end))
    #expect(next.followsGap)
    #expect(next.counts == [13])
  }

  @Test func anEdgeCanSayThatItResynchronised() throws {
    let feed = try EventFeed(.slots())
    feed.assembler.markGap()
    #expect(feed.frame(.id(1), .force(10))?.followsGap == true)
    #expect(feed.frame(.force(11))?.followsGap == false)
  }
}
