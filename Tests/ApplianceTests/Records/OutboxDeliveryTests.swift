import Journal
import Linux
import Logging
import MQTTLink
import Messages
import Recordings
import Synchronization
import Testing
import Weighing

@testable import Appliance

/// How the outbox is sent, against a journal in memory, with a broker's answers and the time as the test has them.
@Suite struct OutboxDeliveryTests {
  static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  static let broker = BrokerAddress(host: "a", port: 1883)

  /// What was handed to the link, oldest first.
  private final class Sent: Sendable {
    let all = Mutex<[Int]>([])
    var sequences: [Int] { all.withLock { $0 } }
  }

  static func journal(_ count: Int) throws -> Journal {
    let journal = Journal(.memory, logger: quiet)
    for number in 0..<count { try record(in: journal, number) }
    return journal
  }

  static func record(in journal: Journal, _ number: Int) throws {
    let division = Division.gram
    let mass = DisplayedMass(steps: number, division: division)
    let measurement = Weighing.Measurement(
      gross: mass, tare: DisplayedMass(steps: 0, division: division), net: mass, uncertainty: nil, calibration: .user)
    let draft = WeighingDraft(
      request: ActionRequest(action: .commit, source: .pad), kind: .weighing(measurement), label: nil,
      time: Instant(nanoseconds: 1))
    _ = try journal.record(draft, at: Instant(nanoseconds: 1_767_225_600_000_000_000 + Int64(number)))
  }

  private static func delivery(of journal: Journal, _ sent: Sent) -> OutboxDelivery {
    OutboxDelivery(journal: journal, topics: Topics(prefix: "p", id: "i"), logger: quiet) { _, token in
      sent.all.withLock { $0.append(Int(token)) }
      return .accepted
    }
  }

  /// Records are made, answered, refused and retried and connections end, in random order.
  @Test(arguments: 0..<20 as Range<UInt64>) func everyRecordArrives(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let journal = try Self.journal(60)
    let sent = Sent()
    var delivery = Self.delivery(of: journal, sent)
    var rate = SendRate()
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var isConnected = false
    var handled = 0
    var inFlight: Set<Int> = []
    var refusedOnce: Set<Int> = []
    var accepted: [Int] = []
    var count = 60
    func step() throws {
      _ = try delivery.work(at: Moment(now), within: &rate)
      let all = sent.sequences
      for sequence in all[handled...] {
        #expect(inFlight.insert(sequence).inserted, "\(sequence) is sent while it is in flight")
      }
      handled = all.count
      #expect(inFlight.count <= 50)
    }
    for _ in 0..<400 {
      now = now + .milliseconds(Int.random(in: 1...200, using: &generator))
      switch Int.random(in: 0..<20, using: &generator) {
      case 0 where isConnected:
        delivery.disconnect(because: .silent)
        (isConnected, inFlight) = (false, [])
      case 0, 1:
        guard !isConnected else { break }
        try delivery.connect(to: Self.broker, BrokerLimits(), at: now)
        isConnected = true
      case 2:
        try Self.record(in: journal, count)
        count += 1
        delivery.append(count)
      case 3: now = now + .seconds(601)
      default:
        guard let sequence = inFlight.min() else { break }
        inFlight.remove(sequence)
        let code = UInt8.random(in: 0x80...0xFF, using: &generator)
        if Int.random(in: 0..<3, using: &generator) == 0 {
          refusedOnce.insert(sequence)
          delivery.acknowledge(sequence, ReasonCode(rawValue: code))
        } else {
          accepted.append(sequence)
          delivery.acknowledge(sequence, .success)
        }
      }
      try step()
    }
    // From now on everything is accepted.
    if !isConnected { try delivery.connect(to: Self.broker, BrokerLimits(), at: now) }
    for _ in 0..<200 {
      now = now + .seconds(60)
      try step()
      for sequence in inFlight.sorted() {
        accepted.append(sequence)
        delivery.acknowledge(sequence, .success)
      }
      inFlight = []
      try step()
    }
    #expect(Set(accepted) == Set(1...count))
    #expect(try journal.depth() == OutboxDepth(waiting: 0, parked: 0))
    var seen: Set<Int> = []
    let never = accepted.filter { seen.insert($0).inserted && !refusedOnce.contains($0) }
    #expect(never == never.sorted(), "records that were never refused arrive in order")
  }

  @Test func refusedRecordsAreRetriedAfterTenMinutesAndNotBefore() throws {
    let journal = try Self.journal(3)
    let sent = Sent()
    var delivery = Self.delivery(of: journal, sent)
    var rate = SendRate()
    let start = Instant(nanoseconds: 1_000_000_000_000)
    try delivery.connect(to: Self.broker, BrokerLimits(), at: start)
    _ = try delivery.work(at: Moment(start), within: &rate)
    for sequence in 1...3 { delivery.acknowledge(sequence, sequence == 2 ? .success : .quotaExceeded) }
    var now = start
    var wakings = 0
    while now < start + .seconds(599) {
      guard let next = try delivery.work(at: Moment(now), within: &rate) else { break }
      #expect(next > now)
      now = next
      wakings += 1
    }
    #expect(sent.sequences == [1, 2, 3])
    #expect(wakings < 210, "\(wakings) wake-ups in 10 minutes")
    #expect(delivery.depth == OutboxDepth(waiting: 0, parked: 2))
    #expect(delivery.parkedReason?.contains("0x97 (quota exceeded)") == true)
    _ = try delivery.work(at: Moment(start + .seconds(600)), within: &rate)
    #expect(sent.sequences == [1, 2, 3, 1, 3])
    for sequence in [1, 3] { delivery.acknowledge(sequence, .success) }
    #expect(try delivery.work(at: Moment(start + .seconds(601)), within: &rate) == nil, "nothing to wake up for")
    #expect(delivery.depth == OutboxDepth(waiting: 0, parked: 0) && delivery.parkedReason == nil)
  }

  @Test func aRecordOnWhichTheBrokerClosesIsTriedOnAnotherBroker() throws {
    let journal = try Self.journal(3)
    let sent = Sent()
    var delivery = Self.delivery(of: journal, sent)
    var rate = SendRate()
    var now = Instant(nanoseconds: 1_000_000_000_000)
    for round in 1...3 {
      try delivery.connect(to: Self.broker, BrokerLimits(), at: now)
      now = now + .seconds(1)
      _ = try delivery.work(at: Moment(now), within: &rate)
      #expect(sent.sequences.suffix(round == 1 ? 3 : 1).first == 1)
      delivery.disconnect(because: .closed)
    }
    #expect(sent.sequences == [1, 2, 3, 1, 1])
    try delivery.connect(to: Self.broker, BrokerLimits(), at: now)
    _ = try delivery.work(at: Moment(now), within: &rate)
    #expect(sent.sequences.suffix(2) == [2, 3])
    for sequence in 2...3 { delivery.acknowledge(sequence, .success) }
    delivery.disconnect(because: .silent)
    try delivery.connect(to: BrokerAddress(host: "b", port: 1883), BrokerLimits(), at: now)
    _ = try delivery.work(at: Moment(now), within: &rate)
    #expect(sent.sequences.last == 1)
  }

  @Test func aLongOutboxIsSentAtALimitedRate() throws {
    var rate = SendRate()
    var now = Instant(nanoseconds: 1_000_000_000_000)
    let start = now
    var sent: [Instant] = []
    var wakings = 0
    while sent.count < 5_000 {
      let available = rate.available(at: now)
      for _ in 0..<available {
        rate.countMessage(at: now)
        sent.append(now)
      }
      #expect(rate.available(at: now) == 0)
      now = rate.nextBatch()
      wakings += 1
    }
    #expect(sent.count { $0 == start } == 100, "a burst at first")
    for (index, time) in sent.enumerated() where index + 500 < sent.count {
      #expect(sent[index + 500] - time >= .seconds(0.75), "at most 600 within a second")
    }
    let rest = Double(sent.count - 100) / (sent[sent.count - 1] - start).seconds
    #expect((490...510).contains(rest), "\(rest) a second")
    #expect(wakings <= 5_000 / 25)
  }

  @Test(arguments: [
    (ReasonCode.notAuthorized, "access control list"), (.quotaExceeded, "quota"), (.topicNameInvalid, "`mqtt.prefix`"),
    (.payloadFormatInvalid, "schema"), (.qosNotSupported, "QoS 1"),
    (.packetTooLarge, "517 bytes, the broker accepts 500"),
    (.unspecified, "broker's log"),
  ])
  func theAdviceFitsTheReason(_ code: ReasonCode, _ words: String) {
    let refusal = RejectedWeighing(
      sequence: 1, cause: .reason(code), topic: "p/i/weighing", packetSize: 517,
      limits: BrokerLimits(maximumPacketSize: 500))
    #expect(refusal.advice.contains(words), "\(refusal.advice)")
    #expect(refusal.text.hasPrefix("rejected with reason \(code) ("), "\(refusal.text)")
  }
}

extension Moment {
  /// A moment at which the time of day is that of the monotonic clock.
  init(_ now: Instant) { self.init(now: now, wall: now, clock: .synchronised) }
}
