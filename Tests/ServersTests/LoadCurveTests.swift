import Foundation
import Servers
import Testing

@testable import Weighing

/// The load around a weighing: `LoadCurves` and `/api/curve/ID`.
struct LoadCurveTests {
  private static let id = WeighingID(time: Instant(nanoseconds: 1_000_000), randomness: (1, 2))
  private static func reading(_ seconds: Double, net: Double?, tare: Double = 0, _ state: Reading.State) -> Reading {
    let displayed = { (grams: Double) in DisplayedMass(steps: Int(grams), division: .gram) }
    var reading = Reading(
      offlineAt: Instant(nanoseconds: Int64(seconds * 1e9)), tare: displayed(tare), tareEpoch: 0, capacity: Grams(385))
    reading.state = state
    reading.net = net.map(displayed)
    reading.highResolution = net.map(Grams.init)
    return reading
  }

  private static func time(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  private struct Curve: Decodable, Equatable {
    struct Point: Decodable, Equatable {
      let ms: Int
      let net: Double?
      let state: String

      init(_ ms: Int, _ net: Double?, _ state: String) { (self.ms, self.net, self.state) = (ms, net, state) }

      init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        ms = try values.decode(Int.self)
        net = try values.decode(Double?.self)
        state = try values.decode(String.self)
      }
    }
    let id: String
    let complete: Bool?
    let points: [Point]?
  }

  private static func curve(_ curves: LoadCurves, at seconds: Double, _ id: WeighingID = id) throws -> Curve {
    try JSONDecoder().decode(Curve.self, from: Data(curves.json(id, at: time(seconds))))
  }

  /// The curve has the tare of the weighing, so that a tare before it is not a change of the load.
  @Test func showsTheLoadFromBeforeToAfterTheConfirmation() throws {
    let curves = LoadCurves()
    for reading in [
      Self.reading(1, net: 0, .empty), Self.reading(88, net: 50, .settling), Self.reading(89, net: 50.25, .stable),
      Self.reading(92, net: 0, tare: 50, .stable), Self.reading(95, net: 84, tare: 50, .stable),
    ] { curves.append(reading) }
    curves.begin(Self.id, at: Self.time(100), tare: Grams(50))
    #expect(try Self.curve(curves, at: 101).complete == false)
    for reading in [
      Self.reading(101, net: nil, tare: 50, .overload), Self.reading(102, net: 84, tare: 50, .stable),
      Self.reading(102.5, net: 0, tare: 50, .empty),
    ] { curves.append(reading) }
    let curve = try Self.curve(curves, at: 102.1)
    #expect(curve.id == Self.id.description && curve.complete == true)
    #expect(
      curve.points == [
        .init(-8000, 0, "stable"), .init(-5000, 84, "stable"), .init(1000, nil, "overload"), .init(2000, 84, "stable"),
      ])
  }

  @Test func keepsABoundedNumberOfPointsAndCurves() throws {
    let curves = LoadCurves()
    // A pad that changes its state 100 times a second.
    for step in 0..<2000 {
      curves.append(Self.reading(Double(step) / 100, net: Double(step), step % 2 == 0 ? .settling : .stable))
    }
    let ids = (0..<150).map { WeighingID(time: Self.time(Double($0)), randomness: (7, 7)) }
    for id in ids { curves.begin(id, at: Self.time(20), tare: .zero) }
    for step in 2000..<2150 {
      curves.append(Self.reading(Double(step) / 100, net: 5, step % 2 == 0 ? .settling : .stable))
    }
    let last = try #require(try Self.curve(curves, at: 22, ids[149]).points)
    #expect(last.count == 160 && last.contains { $0.ms < 0 } && last.contains { $0.ms > 0 })
    #expect(try Self.curve(curves, at: 22, ids[50]).points != nil)
    #expect(try Self.curve(curves, at: 22, ids[49]).points == nil)
  }

  @Test func hasTenPointsASecondWhateverTheRate() throws {
    let curves = LoadCurves()
    for step in 0..<10_000 { curves.append(Self.reading(Double(step) / 1000, net: 1, .stable)) }
    curves.begin(Self.id, at: Self.time(10), tare: .zero)
    let points = try #require(try Self.curve(curves, at: 12).points)
    #expect((70...85).contains(points.count), "\(points.count) points in 8 s")
  }

  @Test(arguments: [
    ("GET", "/api/curve/00000000-0001-7001-8000-000000000002", 200),
    ("HEAD", "/api/curve/00000000-0001-7001-8000-000000000002", 200),
    ("POST", "/api/curve/00000000-0001-7001-8000-000000000002", 405),
    ("GET", "/api/curve/", 404), ("GET", "/api/curve/1", 404),
    ("GET", "/api/curve/00000000-0001-7001-8000-00000000000200", 404),
  ])
  func answers(_ method: String, _ path: String, _ status: Int) async throws {
    let dashboard = try await RunningDashboard()
    dashboard.curves.begin(Self.id, at: Instant(nanoseconds: 0), tare: .zero)
    let answer = try await RawClient.request(dashboard.port, "\(method) \(path)")
    #expect(answer.status == status)
    if method == "GET", status == 200 { #expect(answer.hasSuffix(#""complete":true,"points":[]}"#), "\(answer)") }
  }

  @Test func isNotForPagesOfOtherNames() async throws {
    let dashboard = try await RunningDashboard()
    let client = try RawClient(dashboard.port)
    client.send(
      "GET /api/curve/\(Self.id) HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    #expect(await client.read { $0.contains("\r\n\r\n") }.text.status == 421)
  }

  @Test func saysThatThereIsNoCurve() async throws {
    let dashboard = try await RunningDashboard()
    let answer = try await RawClient.request(dashboard.port, "GET /api/curve/\(Self.id)")
    #expect(answer.hasSuffix(#"{"id":"\#(Self.id)","points":null}"#))
  }
}
