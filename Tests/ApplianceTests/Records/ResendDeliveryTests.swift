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

/// How records are published again, against a journal in memory, with a broker's answers and the time as the test has
/// them.
@Suite struct ResendDeliveryTests {
  /// A journal with an outbox, and what was handed to the link.
  private struct Bench {
    let journal: Journal
    var outbox: OutboxDelivery
    var resend: ResendDelivery
    var rate = SendRate()
    var now = Instant(nanoseconds: 1_000_000_000_000)
    private let sent = Sent()
    private var handled = 0

    private final class Sent: Sendable {
      let all = Mutex<[(token: UInt64, payload: [UInt8])]>([])
    }

    init(records count: Int) throws {
      journal = try OutboxDeliveryTests.journal(count)
      let sent = sent
      let send: (Message, UInt64) -> Admission = { message, token in
        sent.all.withLock { $0.append((token, message.payload)) }
        return .accepted
      }
      let topics = Topics(prefix: "p", id: "i")
      outbox = OutboxDelivery(journal: journal, topics: topics, logger: OutboxDeliveryTests.quiet, send: send)
      resend = ResendDelivery(journal: journal, topics: topics, send: send)
      try outbox.connect(to: OutboxDeliveryTests.broker, BrokerLimits(), at: now)
    }

    mutating func ask(_ range: ClosedRange<Int>, expiry: Instant? = nil) {
      resend.append(
        ResendRequest(range: range, source: .mqtt, caller: Caller(correlation: "\(range)"), expiry: expiry), at: now)
    }

    /// Works like the journal's thread; returns when to work again and what was sent.
    mutating func work() throws -> (next: Instant?, sent: [(token: UInt64, sequence: Int)]) {
      var next = try outbox.work(at: Moment(now), within: &rate)
      if outbox.isSent { next = [next, try resend.work(at: now, within: &rate)].compactMap(\.self).min() }
      let all = sent.all.withLock { $0 }
      defer { handled = all.count }
      return (
        next,
        try all[handled...].map {
          let json = try JSONValue($0.payload, maximumBytes: 4096)
          let number = try #require(json["sequence"])
          guard case .number(let sequence) = number else { throw JSONError.malformed(at: 0) }
          if ResendDelivery.tokens.contains($0.token) { #expect(json["historical"] == .boolean(true)) }
          return ($0.token, Int(sequence))
        }
      )
    }

    mutating func acknowledge(_ token: UInt64, _ reason: ReasonCode = .success) {
      if ResendDelivery.tokens.contains(token) {
        resend.acknowledge(token, reason)
      } else {
        outbox.acknowledge(Int(token), reason)
      }
    }

    /// Acknowledges everything until nothing more is sent; returns the sequence numbers.
    mutating func finish() throws -> [Int] {
      var sequences: [Int] = []
      while true {
        let (next, sent) = try work()
        sequences += sent.map(\.sequence)
        for (token, _) in sent { acknowledge(token) }
        if sent.isEmpty {
          guard let next, next > now else { return sequences }
          now = next
        }
      }
    }
  }

  @Test func aRangeIsSentAfterTheOutbox() throws {
    var bench = try Bench(records: 30)
    bench.ask(3...12)
    #expect(try bench.finish() == Array(1...30) + Array(3...12))
    let answer = try #require(bench.resend.removeAnswers().first)
    #expect(answer.caller.correlation == "3...12")
    #expect(answer.result.sent == 10 && answer.result.missing.isEmpty && answer.result.last == 30)
    #expect(try bench.journal.depth().waiting == 0)
  }

  @Test func aNewWeighingGoesFirst() throws {
    var bench = try Bench(records: 2_000)
    _ = try bench.finish()
    bench.now = bench.now + .seconds(60)
    bench.ask(1...2_000)
    var waited: [Int] = []
    for number in 2_000..<2_020 {
      // The window of resent records is full.
      var (_, sent) = try bench.work()
      try OutboxDeliveryTests.record(in: bench.journal, number)
      bench.outbox.append(number + 1)
      for (token, _) in sent { bench.acknowledge(token) }
      (_, sent) = try bench.work()
      waited.append(try #require(sent.firstIndex { $0.sequence == number + 1 }))
      for (token, _) in sent { bench.acknowledge(token) }
      bench.now = bench.now + .milliseconds(20)
    }
    #expect(waited.allSatisfy { $0 == 0 }, "\(waited)")
  }

  @Test func itIsSentAtALimitedRate() throws {
    var bench = try Bench(records: 3_000)
    _ = try bench.finish()
    bench.now = bench.now + .seconds(60)
    let start = bench.now
    bench.ask(1...3_000)
    #expect(try bench.finish().count == 3_000)
    let seconds = (bench.now - start).seconds
    #expect((5.5...6.5).contains(seconds), "\(seconds) s for 3,000 records at 500 a second")
  }

  @Test func whatTheJournalDoesNotHaveIsNamed() throws {
    var bench = try Bench(records: 5)
    _ = try bench.finish()
    bench.ask(4...9)
    bench.ask(7...8)
    #expect(try bench.finish() == [4, 5])
    let answers = bench.resend.removeAnswers().map(\.result)
    #expect(answers.map(\.missing) == [[6...9], [7...8]])
    #expect(answers.map(\.sent) == [2, 0] && answers.map(\.last) == [5, 5])
  }

  /// `last` is the number of the beginning: the collector counts as lost only what is missing up to it.
  @Test func aRecordMadeDuringTheRequestIsNotMissing() throws {
    var bench = try Bench(records: 1)
    _ = try bench.finish()
    bench.now = bench.now + .seconds(60)
    bench.ask(1...2)
    let (_, sent) = try bench.work()
    #expect(sent.map(\.sequence) == [1])
    try OutboxDeliveryTests.record(in: bench.journal, 1)
    for (token, _) in sent { bench.acknowledge(token) }
    _ = try bench.finish()
    let result = try #require(bench.resend.removeAnswers().first?.result)
    #expect(bench.journal.sequence == 2 && result.last == 1, "\(result)")
  }

  @Test func aConnectionThatEndsEndsIt() throws {
    var bench = try Bench(records: 200)
    _ = try bench.finish()
    bench.now = bench.now + .seconds(60)
    bench.ask(1...200)
    bench.ask(1...3)
    let token = try #require(try bench.work().sent.first?.token)
    bench.outbox.disconnect(because: .silent)
    bench.resend.disconnect()
    try bench.outbox.connect(to: OutboxDeliveryTests.broker, BrokerLimits(), at: bench.now)
    // A late acknowledgement is not that of another request.
    bench.ask(5...6)
    bench.acknowledge(token)
    #expect(try bench.finish() == [5, 6])
    #expect(bench.resend.removeAnswers().map(\.caller.correlation) == ["5...6"])
  }

  @Test func rejectedRecordsAreLeftOut() throws {
    var bench = try Bench(records: 6)
    for (token, sequence) in try bench.work().sent {
      bench.acknowledge(token, sequence == 2 ? .quotaExceeded : .success)
    }
    _ = try bench.work()
    bench.ask(1...6)
    let sent = try bench.work().sent
    #expect(sent.map(\.sequence) == [1, 3, 4, 5, 6])
    for (token, sequence) in sent.reversed() { bench.acknowledge(token, sequence == 5 ? .quotaExceeded : .success) }
    _ = try bench.work()
    let result = try #require(bench.resend.removeAnswers().first?.result)
    #expect(result.sent == 4 && result.rejected == [2...2, 5...5] && result.missing.isEmpty)
  }

  @Test func requestsExpireAndAreLimited() throws {
    var bench = try Bench(records: 3)
    _ = try bench.finish()
    bench.ask(1...1, expiry: bench.now)
    for _ in 0..<ResendDelivery.capacity { bench.ask(2...2) }
    #expect(try bench.finish() == Array(repeating: 2, count: ResendDelivery.capacity - 1))
    let results = bench.resend.removeAnswers().map(\.result)
    #expect(results.map(\.rejection) == [.busy, .expired] + Array(repeating: nil, count: ResendDelivery.capacity - 1))
  }

  /// Whatever is asked for and acknowledged in whatever order: each request gets each of its records once, and one
  /// answer.
  @Test(arguments: 0..<20 as Range<UInt64>) func eachRequestGetsItsRecordsOnce(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var bench = try Bench(records: 300)
    _ = try bench.finish()
    var expected: [Int] = []
    var received: [Int] = []
    var inFlight: [UInt64] = []
    var requests = 0
    for _ in 0..<600 {
      bench.now = bench.now + .milliseconds(Int.random(in: 1...100, using: &generator))
      if Int.random(in: 0..<40, using: &generator) == 0 {
        let from = Int.random(in: 1...320, using: &generator)
        let range = from...(from + Int.random(in: 0..<150, using: &generator))
        bench.ask(range)
        requests += 1
        expected += range.filter { $0 <= 300 }
      }
      let sent = try bench.work().sent
      received += sent.map(\.sequence)
      inFlight += sent.map(\.token)
      #expect(inFlight.count <= 50)
      inFlight.shuffle(using: &generator)
      for _ in 0..<min(inFlight.count, Int.random(in: 0...40, using: &generator)) {
        bench.acknowledge(inFlight.removeLast())
      }
    }
    for token in inFlight { bench.acknowledge(token) }
    received += try bench.finish()
    #expect(received == expected)
    let answers = bench.resend.removeAnswers()
    #expect(answers.count == requests && answers.map(\.result.sent).reduce(0, +) == expected.count)
  }
}
