import Foundation
import Linux
import Testing

@testable import Servers
@testable import Weighing

/// The net of the last hours in buckets, compared with every moment of a random load.
struct NetHistoryTests {
  private static let start = Instant(nanoseconds: 90_000_000_000_000)

  private static func reading(_ net: Int?, _ state: Reading.State, at time: Instant) -> Reading {
    let displayed = { (grams: Int) in DisplayedMass(steps: grams, division: .gram) }
    var reading = Reading(offlineAt: time, tare: displayed(0), tareEpoch: 0, capacity: Grams(385))
    reading.state = state
    reading.net = net.map(displayed)
    return reading
  }

  /// The buckets of a range as numbers.
  private static func rows(_ json: [UInt8]) throws -> [[Any]] {
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    return try #require(answer["buckets"] as? [[Any]])
  }

  @Test(arguments: TraceRange.allCases, [UInt64(1), 2, 3]) func areThoseOfEveryMoment(
    range: TraceRange, seed: UInt64
  ) throws {
    var random = seed &* 0x9e37_79b9_7f4a_7c15
    func next(_ limit: Int) -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Int(random % UInt64(limit))
    }
    let trace = NetTrace()
    trace.setHeartbeat(.seconds(5))
    var history = NetHistory(range)
    // Values second by second: nil while nothing is known.
    var known: [Int: (low: Int, high: Int, last: Int)] = [:]
    var overload: Set<Int> = []
    let bucket = Int(range.bucket.nanoseconds / 1_000_000_000)
    var (second, before) = (0, (second: Int, net: Int?, isOverload: Bool)?.none)
    // Longer than the range, so that places are used again.
    while second < bucket * 900 {
      let state = next(30) == 0 ? Reading.State.overload : next(30) == 0 ? .offline : .stable
      let net = state == .stable ? next(400) - 20 : nil
      let time = Self.start + .seconds(Double(second))
      trace.append(Self.reading(net, state, at: time))
      var moments = [(second, net, state == .overload)]
      if let before, second - before.second <= 6 {
        moments = (before.second...second).map { ($0, before.net, before.isOverload) } + moments
      }
      for (moment, net, isOverload) in moments {
        if isOverload { overload.insert(moment / bucket) }
        guard let net else { continue }
        let old = known[moment / bucket]
        known[moment / bucket] = (min(old?.low ?? net, net), max(old?.high ?? net, net), net)
      }
      before = (second, net, state == .overload)
      second += next(60) == 0 ? 7 + next(bucket * 3) : 1 + next(6)
    }
    let now = Self.start + .seconds(Double(second))
    let newest = second / bucket
    let rows = try Self.rows(trace.json(range, at: now))
    let expected = (max(0, newest - NetHistory.capacity + 1)...newest).filter {
      known[$0] != nil || overload.contains($0)
    }
    #expect(rows.count == expected.count && rows.count > 500)
    for (row, number) in zip(rows, expected) {
      #expect(row[0] as? Int == (second - number * bucket) * 1000)
      #expect(row[1] as? Double == known[number].map { Double($0.low) }, "\(number)")
      #expect(row[2] as? Double == known[number].map { Double($0.high) }, "\(number)")
      #expect(row[3] as? Double == known[number].map { Double($0.last) }, "\(number)")
      #expect(row[4] as? Bool == overload.contains(number), "\(number)")
    }
    history.add(1, isOverload: false, at: now)
    #expect(history.content(at: now).count == 1)
  }

  /// A bucket has 20 bytes; the documentation says so.
  @Test func theMemoryIsFixed() {
    #expect(MemoryLayout<NetHistory.Bucket>.stride * NetHistory.capacity * TraceRange.allCases.count == 43_200)
    for range in TraceRange.allCases {
      let hours = Int64(range.rawValue.dropLast()) ?? 0
      #expect(Int64(NetHistory.capacity) * range.bucket.nanoseconds == hours * 3_600_000_000_000)
    }
  }

  /// A load at rest with one reading per heartbeat has no gaps, and none is made up after the last reading.
  @Test func aLoadAtRestHasNoGaps() throws {
    let trace = NetTrace()
    trace.setHeartbeat(.seconds(20))
    for number in 0..<30 {
      trace.append(Self.reading(84, .stable, at: Self.start + .seconds(Double(number) * 20.3)))
    }
    let end = Self.start + .seconds(29 * 20.3)
    let ages = try Self.rows(trace.json(.hour, at: end + .seconds(60))).map { $0[0] as? Int ?? 0 }
    #expect(ages.count == 118 && zip(ages, ages.dropFirst()).allSatisfy { $0 - $1 == 5000 })
    #expect(ages.allSatisfy { $0 > 60_000 })
  }

  @Test func rangesAreServed() async throws {
    let dashboard = try await RunningDashboard()
    dashboard.trace.append(Self.reading(84, .stable, at: .now()))
    #expect(try await RawClient.request(dashboard.port, "GET /api/trace").contains(#",84,"stable"]"#))
    #expect(try await RawClient.request(dashboard.port, "GET /api/trace?range=5m").contains(#",84,"stable"]"#))
    for range in ["1h", "6h", "24h"] {
      let answer = try await RawClient.request(dashboard.port, "GET /api/trace?range=\(range)")
      #expect(
        answer.contains(#"{"range":"\#(range)","bucket_ms":"#) && answer.contains(",84,84,84,false]]"))
    }
    for query in ["range=2h", "range=", "span=1h"] {
      let answer = try await RawClient.request(dashboard.port, "GET /api/trace?\(query)")
      #expect(answer.status == 400 && answer.contains("bad_query"))
    }
  }
}
