import Messages
import Testing
import Weighing

@testable import MQTTLink

@Suite struct LanesTests {
  private let start = Instant(nanoseconds: 0)

  private func lanes(capacity: Int = 10, first: String? = nil) -> Lanes {
    Lanes(assuredCapacity: capacity, firstTopic: first)
  }

  /// Takes all that may be sent now, acknowledging nothing.
  private func drain(_ lanes: inout Lanes, window: Int = 20, at now: Instant? = nil) -> [String] {
    var taken: [String] = []
    var identifier: Int32 = Int32(lanes.unacknowledged)
    while let entry = lanes.takeNext(window: window, at: now ?? start) {
      taken.append("\(entry.message.topic) \(String(decoding: entry.message.payload, as: UTF8.self))")
      if entry.message.delivery != .live {
        identifier += 1
        lanes.sent(entry, identifier: identifier, at: now ?? start)
      }
    }
    return taken
  }

  @Test func onlyTheNewestLiveValueOfATopicIsKept() {
    var lanes = lanes()
    lanes.open()
    for number in 0..<1000 { lanes.accept(Message("live", "\(number)", .live), at: start) }
    lanes.accept(Message("display", "7 g", .live), at: start)
    #expect(drain(&lanes) == ["live 999", "display 7 g"])
  }

  @Test func liveValuesAreDroppedOffline() {
    var lanes = lanes()
    lanes.accept(Message("live", "1", .live), at: start)
    lanes.open()
    #expect(drain(&lanes) == [])
    lanes.accept(Message("live", "2", .live), at: start)
    lanes.close()
    lanes.open()
    #expect(drain(&lanes) == [])
  }

  @Test func retainedComesFirstAndTheWillsTopicBeforeAll() {
    var lanes = lanes(first: "availability")
    lanes.accept(Message("event", "1", .assured), at: start)
    lanes.accept(Message("health", "old", .retained), at: start)
    lanes.accept(Message("health", "new", .retained), at: start)
    lanes.accept(Message("availability", "online", .retained), at: start)
    lanes.open()
    lanes.accept(Message("live", "1", .live), at: start)
    #expect(drain(&lanes) == ["availability online", "health new", "event 1", "live 1"])
    lanes.close()
    lanes.open()
    #expect(drain(&lanes) == ["availability online", "health new", "event 1"])
  }

  @Test func theOldestAssuredMessageGivesWay() {
    var lanes = lanes(capacity: 3)
    for number in 1...5 { lanes.accept(Message("event", "\(number)", .assured), at: start) }
    #expect(lanes.dropped == 2)
    lanes.open()
    #expect(drain(&lanes) == ["event 3", "event 4", "event 5"])
  }

  @Test func theWindowHoldsAndWhatWasInFlightIsSentAgainInOrder() {
    var lanes = lanes(capacity: 100)
    for number in 1...8 { lanes.accept(Message("event", "\(number)", .assured), at: start) }
    lanes.open()
    #expect(drain(&lanes, window: 5) == (1...5).map { "event \($0)" })
    #expect(lanes.acknowledged(identifier: 2)?.message.payload == Array("2".utf8))
    #expect(lanes.acknowledged(identifier: 2) == nil)
    lanes.close()
    lanes.open()
    #expect(drain(&lanes) == [1, 3, 4, 5, 6, 7, 8].map { "event \($0)" })
  }

  /// A broker that acknowledges nothing must not stop the readings.
  @Test func liveValuesDoNotWaitForTheWindow() {
    var lanes = lanes()
    for number in 1...3 { lanes.accept(Message("kept/\(number)", "", .retained), at: start) }
    lanes.open()
    lanes.accept(Message("event", "1", .assured), at: start)
    lanes.accept(Message("live", "1", .live), at: start)
    #expect(drain(&lanes, window: 2) == ["kept/1 ", "kept/2 ", "live 1"])
    #expect(lanes.acknowledged(identifier: 1) != nil)
    lanes.accept(Message("live", "2", .live), at: start)
    #expect(drain(&lanes, window: 2) == ["kept/3 ", "live 2"])
  }

  @Test func knowsSinceWhenTheBrokerOwesAnAcknowledgement() {
    var lanes = lanes()
    lanes.open()
    #expect(lanes.oldestUnacknowledged == nil)
    for number in 1...2 {
      lanes.accept(Message("event", "\(number)", .assured), at: start)
      _ = drain(&lanes, at: start + .seconds(Double(number)))
    }
    #expect(lanes.oldestUnacknowledged == start + .seconds(1))
    _ = lanes.acknowledged(identifier: 1)
    #expect(lanes.oldestUnacknowledged == start + .seconds(2))
    lanes.close()
    #expect(lanes.oldestUnacknowledged == nil)
  }

  @Test func aMessageThatFindsNoRoomIsCounted() {
    var lanes = lanes()
    lanes.open()
    for number in 1...3 { lanes.accept(Message("event", "\(number)", .assured), at: start) }
    #expect(lanes.hasRoom(below: 4) == true)
    #expect(lanes.hasRoom(below: 3) == false)
    #expect(lanes.dropped == 1)
  }

  @Test func tokensEndWithTheConnection() {
    var lanes = lanes(capacity: 2)
    let message = Message("weighing", "1", .assured)
    #expect(lanes.accept(message, token: 1, at: start) == .notConnected)
    lanes.open()
    #expect(lanes.accept(message, token: 1, at: start) == .accepted)
    #expect(lanes.accept(message, token: 2, at: start) == .accepted)
    #expect(lanes.accept(message, token: 3, at: start) == .full)
    #expect(drain(&lanes, window: 1) == ["weighing 1"])
    lanes.close()
    lanes.open()
    #expect(drain(&lanes) == [])
  }

  /// Neither a flood of answers nor a backlog of weighings holds up the other.
  @Test func messagesWithAndWithoutATokenTakeTurns() {
    var lanes = lanes()
    lanes.open()
    for number in 1...4 { lanes.accept(Message("result", "\(number)", .assured), at: start) }
    for number in 1...2 as ClosedRange<UInt64> {
      #expect(lanes.accept(Message("weighing", "\(number)", .assured), token: number, at: start) == .accepted)
    }
    #expect(drain(&lanes) == ["result 1", "weighing 1", "result 2", "weighing 2", "result 3", "result 4"])
  }

  @Test func whatExpiredWhileItWaitedIsNotSent() {
    var lanes = lanes()
    var result = Message("result", "late", .assured)
    result.expiry = .seconds(2)
    lanes.accept(result, at: start)
    lanes.accept(Message("event", "kept", .assured), at: start)
    lanes.open()
    #expect(drain(&lanes, at: start + .seconds(3)) == ["event kept"])
  }

  @Test func aTopicThatTheBrokerForgetsIsForgotten() {
    var lanes = lanes()
    lanes.accept(Message("kept", "1", .retained), at: start)
    lanes.accept(Message("gone", "1", .retained), at: start)
    lanes.accept(Message("gone", "", .retained), at: start)
    lanes.open()
    #expect(drain(&lanes) == ["kept 1", "gone "])
    lanes.close()
    lanes.open()
    #expect(drain(&lanes) == ["kept 1"])
    lanes.accept(Message("gone", "2", .retained), at: start)
    #expect(drain(&lanes) == ["gone 2"])
  }

  @Test func topicsAreBounded() {
    var lanes = lanes()
    lanes.open()
    for number in 0..<5000 { lanes.accept(Message("live/\(number)", "", .live), at: start) }
    for number in 0..<5000 { lanes.accept(Message("kept/\(number)", "", .retained), at: start) }
    #expect(lanes.dropped == 2 * (5000 - Lanes.topicCapacity))
  }
}
