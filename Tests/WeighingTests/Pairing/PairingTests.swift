import Recordings
import Testing

@testable import Weighing

/// Until when a request can be granted, and by which presses.
@Suite struct PairingTests {
  private static let begin = Instant(nanoseconds: 1_000_000_000)

  private static func request(_ id: UInt64) -> PairingRequest {
    PairingRequest(id: id, name: "phone \(id)", address: "192.168.1.1")
  }

  @Test func oneIsPendingAtATime() {
    var pairing = Pairing()
    #expect(pairing.ask(Self.request(1), at: Self.begin) == nil)
    #expect(pairing.end(2) == nil && pairing.pending?.id == 1)
    #expect(pairing.ask(Self.request(2), at: Self.begin)?.id == 1)
    #expect(pairing.end(2)?.id == 2 && pairing.end(2) == nil && pairing.end(nil) == nil && pairing.deadline == nil)
    #expect(pairing.ask(Self.request(3), at: Self.begin) == nil && pairing.end(nil)?.id == 3)
  }

  @Test func itExpiresAfterAMinute() {
    var pairing = Pairing()
    _ = pairing.ask(Self.request(1), at: Self.begin)
    #expect(pairing.deadline == Self.begin + .seconds(60))
    #expect(pairing.expire(at: Self.begin + .milliseconds(59_999)) == nil)
    #expect(pairing.expire(at: Self.begin + .seconds(60))?.id == 1)
    #expect(pairing.expire(at: Self.begin + .seconds(60)) == nil)
  }

  /// A finger that is on its way when the request appears was not meant for it.
  @Test func aPressNeedsTimeToBeMeantForIt() {
    var pairing = Pairing()
    #expect(pairing.request(forPressAt: Self.begin + .seconds(9)) == nil)
    _ = pairing.ask(Self.request(7), at: Self.begin)
    #expect(pairing.request(forPressAt: Self.begin + .milliseconds(999)) == nil)
    #expect(pairing.request(forPressAt: Self.begin + .milliseconds(1000)) == 7)
  }

  /// Against a model that writes down when each request was shown and when it ended.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func agreesWithTheModel(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (pairing, now, grants) = (Pairing(), Self.begin, 0)
    var shown: [(id: UInt64, from: Instant)] = []
    func pending(at now: Instant) -> (id: UInt64, from: Instant)? {
      shown.last.flatMap { now - $0.from < .seconds(60) ? $0 : nil }
    }
    for id in 1...400 as ClosedRange<UInt64> {
      now = now + .milliseconds(Int(random.next() % 40_000))
      let isOver = !shown.isEmpty && pending(at: now) == nil
      #expect((pairing.expire(at: now) != nil) == isOver)
      if isOver { shown.removeAll() }
      switch random.next() % 3 {
      case 0:
        let meant = pending(at: now).flatMap { now - $0.from >= .seconds(1) ? $0.id : nil }
        #expect(pairing.request(forPressAt: now) == meant)
        guard let meant else { break }
        // The press takes up to two seconds.
        now = now + .milliseconds(Int(random.next() % 2000))
        let isInTime = pending(at: now) != nil
        _ = pairing.expire(at: now)
        #expect((pairing.end(meant) != nil) == isInTime)
        if isInTime { grants += 1 }
        shown.removeAll()
      case 1:
        let other = random.next() % (id + 1)
        let isIt = pending(at: now)?.id == other
        #expect((pairing.end(other) != nil) == isIt)
        if isIt { shown.removeAll() }
      default:
        #expect(pairing.ask(Self.request(id), at: now)?.id == pending(at: now)?.id)
        shown = [(id, now)]
      }
      #expect(pairing.pending?.id == pending(at: now)?.id)
    }
    #expect(grants > 0, "the run tests something")
  }
}
