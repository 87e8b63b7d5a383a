import Testing
import Weighing

/// Protocol B: every slot keeps what it was told.
@Suite struct SlotFrameTests {
  @Test func aContactHasThePlaceAndTheForceOfItsSlot() throws {
    let feed = try EventFeed(.slots())
    let frame = try #require(feed.frame(.slot(0), .id(7), .x(250), .y(125), .force(300)))
    let contact = try #require(frame.contacts.first)
    #expect(contact.position == Position(x: 0.25, y: 0.25))
    #expect(contact.origin == contact.position)
    #expect(frame.raw == RawForce(300))
    #expect(!contact.isAtMaximum)
    #expect(!frame.followsGap)
  }

  /// The kernel does not repeat the value that the slot had before, not even for another finger.
  @Test func aSlotKeepsItsValuesBeyondALift() throws {
    let feed = try EventFeed(.slots())
    let first = feed.frame(.id(1), .x(100), .y(50), .force(300))
    let lifted = feed.frame(.id(-1))
    let second = feed.frame(.id(2))
    #expect(lifted?.contacts == [])
    #expect(second?.counts == [300])
    #expect(second?.contacts.first?.position == Position(x: 0.1, y: 0.1))
    #expect(second?.contacts.first?.origin == Position(x: 0.1, y: 0.1))
    #expect(second?.serials != first?.serials)
  }

  @Test func aReplacedTrackingIDIsANewContact() throws {
    let feed = try EventFeed(.slots())
    let first = feed.frame(.id(1), .x(100), .y(50), .force(300))
    let same = feed.frame(.id(1), .x(900))
    let other = feed.frame(.id(2), .x(500))
    #expect(same?.serials == first?.serials)
    #expect(same?.contacts.first?.origin == Position(x: 0.1, y: 0.1))
    #expect(other?.serials != first?.serials)
    #expect(other?.contacts.first?.origin == Position(x: 0.5, y: 0.1))
  }

  @Test(arguments: [Int32(-1), 5, 256, .max, .min])
  func ignoresASlotThatDoesNotExist(_ slot: Int32) throws {
    let feed = try EventFeed(.slots())
    let frame = feed.frame(.id(1), .force(10), .slot(slot), .id(9), .force(999))
    #expect(frame?.counts == [10])
    #expect(feed.frame(.slot(0), .force(11))?.counts == [11])
  }

  @Test func contactsComeInTheOrderOfTouchDown() throws {
    let feed = try EventFeed(.slots())
    #expect(feed.frame(.slot(3), .id(1), .force(1), .slot(1), .id(2), .force(2))?.counts == [1, 2])
    #expect(feed.frame(.slot(0), .id(3), .force(3))?.counts == [1, 2, 3])
    #expect(feed.frame(.slot(3), .id(-1))?.counts == [2, 3])
    #expect(feed.frame(.slot(3), .id(4))?.counts == [2, 3, 1])
    #expect(feed.frame(.slot(1), .id(5), .slot(0), .id(6))?.counts == [1, 2, 3])
  }

  @Test func anEmptyReportRepeatsTheFrame() throws {
    let feed = try EventFeed(.slots())
    let first = try #require(feed.frame(.id(1), .force(10)))
    let again = try #require(feed.frame())
    #expect(again.contacts == first.contacts)
    #expect(again.time > first.time)
  }

  @Test(arguments: [(999, false), (1000, true), (1001, true)])
  func theEndOfTheAxisIsSeen(_ force: Int32, _ atEnd: Bool) throws {
    let feed = try EventFeed(.slots())
    #expect(feed.frame(.id(1), .force(force))?.contacts.first?.isAtMaximum == atEnd)
  }

  @Test func contactsAddUp() throws {
    let feed = try EventFeed(.slots())
    let frame = feed.frame(.id(1), .x(10), .force(100), .slot(1), .id(2), .x(900), .force(20))
    #expect(frame?.raw == RawForce(120))
  }

  @Test func aDescriptionWithAbsurdSlotsIsNotBelieved() throws {
    var pad = PadDescription.slots()
    pad.axes[.slot]?.maximum = .max
    let feed = try EventFeed(pad)
    #expect(feed.frame(.slot(255), .id(1), .force(5))?.counts == [5])
    #expect(feed.frame(.slot(256), .id(2), .force(6))?.counts == [5])
  }

  /// Pressure is not the only thing that `pad.axis` may name on a multitouch pad.
  @Test func aNamedMultitouchAxisWeighsLessItsMinimum() throws {
    let touchMajor = AxisCode(rawValue: 0x30)
    var pad = PadDescription.slots()
    pad.axes[touchMajor] = AxisRange(minimum: 20, maximum: 255)
    let feed = try EventFeed(pad, axis: .named(touchMajor))
    let frame = feed.frame(.id(1), .force(900), .axis(touchMajor, 120), .slot(1), .id(2), .axis(touchMajor, 255))
    #expect(frame?.counts == [100, 235])
    #expect(frame?.contacts.map(\.isAtMaximum) == [false, true])
    #expect(feed.assembler.axis.fullScale == RawForce(235))
  }
}
