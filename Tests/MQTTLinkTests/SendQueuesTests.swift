import Messages
import Testing
import Weighing

@testable import MQTTLink

@Suite struct SendQueuesTests {
  private let start = Instant(nanoseconds: 0)

  private func queues(capacity: Int = 10, first: String? = nil) -> SendQueues {
    SendQueues(assuredCapacity: capacity, firstTopic: first)
  }

  /// Takes all that may be sent now, acknowledging nothing.
  private func drain(_ queues: inout SendQueues, window: Int = 20, at now: Instant? = nil) -> [String] {
    var taken: [String] = []
    var identifier: Int32 = Int32(queues.unacknowledged)
    while let entry = queues.popNext(window: window, at: now ?? start) {
      taken.append("\(entry.message.topic) \(String(decoding: entry.message.payload, as: UTF8.self))")
      if entry.message.delivery != .live {
        identifier += 1
        queues.appendInFlight(entry, identifier: identifier, at: now ?? start)
      }
    }
    return taken
  }

  @Test func onlyTheNewestLiveValueOfATopicIsKept() {
    var queues = queues()
    queues.open()
    for number in 0..<1000 { queues.append(Message("live", "\(number)", .live), at: start) }
    queues.append(Message("display", "7 g", .live), at: start)
    #expect(drain(&queues) == ["live 999", "display 7 g"])
  }

  @Test func liveValuesAreDroppedOffline() {
    var queues = queues()
    queues.append(Message("live", "1", .live), at: start)
    queues.open()
    #expect(drain(&queues) == [])
    queues.append(Message("live", "2", .live), at: start)
    queues.close()
    queues.open()
    #expect(drain(&queues) == [])
  }

  @Test func retainedComesFirstAndTheWillsTopicBeforeAll() {
    var queues = queues(first: "availability")
    queues.append(Message("event", "1", .assured), at: start)
    queues.append(Message("health", "old", .retained), at: start)
    queues.append(Message("health", "new", .retained), at: start)
    queues.append(Message("availability", "online", .retained), at: start)
    queues.open()
    queues.append(Message("live", "1", .live), at: start)
    #expect(drain(&queues) == ["availability online", "health new", "event 1", "live 1"])
    queues.close()
    queues.open()
    #expect(drain(&queues) == ["availability online", "health new", "event 1"])
  }

  @Test func theOldestAssuredMessageGivesWay() {
    var queues = queues(capacity: 3)
    for number in 1...5 { queues.append(Message("event", "\(number)", .assured), at: start) }
    #expect(queues.dropped == 2)
    queues.open()
    #expect(drain(&queues) == ["event 3", "event 4", "event 5"])
  }

  @Test func theWindowHoldsAndWhatWasInFlightIsSentAgainInOrder() {
    var queues = queues(capacity: 100)
    for number in 1...8 { queues.append(Message("event", "\(number)", .assured), at: start) }
    queues.open()
    #expect(drain(&queues, window: 5) == (1...5).map { "event \($0)" })
    #expect(queues.acknowledge(identifier: 2)?.message.payload == Array("2".utf8))
    #expect(queues.acknowledge(identifier: 2) == nil)
    queues.close()
    queues.open()
    #expect(drain(&queues) == [1, 3, 4, 5, 6, 7, 8].map { "event \($0)" })
  }

  /// A broker that acknowledges nothing must not stop the readings.
  @Test func liveValuesDoNotWaitForTheWindow() {
    var queues = queues()
    for number in 1...3 { queues.append(Message("kept/\(number)", "", .retained), at: start) }
    queues.open()
    queues.append(Message("event", "1", .assured), at: start)
    queues.append(Message("live", "1", .live), at: start)
    #expect(drain(&queues, window: 2) == ["kept/1 ", "kept/2 ", "live 1"])
    #expect(queues.acknowledge(identifier: 1) != nil)
    queues.append(Message("live", "2", .live), at: start)
    #expect(drain(&queues, window: 2) == ["kept/3 ", "live 2"])
  }

  @Test func knowsSinceWhenTheBrokerOwesAnAcknowledgement() {
    var queues = queues()
    queues.open()
    #expect(queues.oldestUnacknowledged == nil)
    for number in 1...2 {
      queues.append(Message("event", "\(number)", .assured), at: start)
      _ = drain(&queues, at: start + .seconds(Double(number)))
    }
    #expect(queues.oldestUnacknowledged == start + .seconds(1))
    _ = queues.acknowledge(identifier: 1)
    #expect(queues.oldestUnacknowledged == start + .seconds(2))
    queues.close()
    #expect(queues.oldestUnacknowledged == nil)
  }

  @Test func aMessageThatFindsNoRoomIsCounted() {
    var queues = queues()
    queues.open()
    for number in 1...3 { queues.append(Message("event", "\(number)", .assured), at: start) }
    #expect(queues.hasRoom(below: 4) == true)
    #expect(queues.hasRoom(below: 3) == false)
    #expect(queues.dropped == 1)
  }

  @Test func tokensEndWithTheConnection() {
    var queues = queues(capacity: 2)
    let message = Message("weighing", "1", .assured)
    #expect(queues.append(message, token: 1, at: start) == .notConnected)
    queues.open()
    #expect(queues.append(message, token: 1, at: start) == .accepted)
    #expect(queues.append(message, token: 2, at: start) == .accepted)
    #expect(queues.append(message, token: 3, at: start) == .full)
    #expect(drain(&queues, window: 1) == ["weighing 1"])
    queues.close()
    queues.open()
    #expect(drain(&queues) == [])
  }

  /// Neither a flood of answers nor a backlog of weighings holds up the other.
  @Test func messagesWithAndWithoutATokenTakeTurns() {
    var queues = queues()
    queues.open()
    for number in 1...4 { queues.append(Message("result", "\(number)", .assured), at: start) }
    for number in 1...2 as ClosedRange<UInt64> {
      #expect(queues.append(Message("weighing", "\(number)", .assured), token: number, at: start) == .accepted)
    }
    #expect(drain(&queues) == ["result 1", "weighing 1", "result 2", "weighing 2", "result 3", "result 4"])
  }

  @Test func whatExpiredWhileItWaitedIsNotSent() {
    var queues = queues()
    var result = Message("result", "late", .assured)
    result.expiry = .seconds(2)
    queues.append(result, at: start)
    queues.append(Message("event", "kept", .assured), at: start)
    queues.open()
    #expect(drain(&queues, at: start + .seconds(3)) == ["event kept"])
  }

  @Test func aTopicThatTheBrokerForgetsIsForgotten() {
    var queues = queues()
    queues.append(Message("kept", "1", .retained), at: start)
    queues.append(Message("gone", "1", .retained), at: start)
    queues.append(Message("gone", "", .retained), at: start)
    queues.open()
    #expect(drain(&queues) == ["kept 1", "gone "])
    queues.close()
    queues.open()
    // The broker may not have received it.
    #expect(drain(&queues) == ["kept 1", "gone "])
    #expect(queues.acknowledge(identifier: 2)?.message.topic == "gone")
    queues.close()
    queues.open()
    #expect(drain(&queues) == ["kept 1"])
    queues.append(Message("gone", "2", .retained), at: start)
    #expect(drain(&queues) == ["gone 2"])
  }

  @Test func aNewValueOutlivesTheAcknowledgementThatItsTopicWasCleared() {
    var queues = queues()
    queues.open()
    queues.append(Message("state", "", .retained), at: start)
    #expect(drain(&queues) == ["state "])
    queues.append(Message("state", "new", .retained), at: start)
    #expect(queues.acknowledge(identifier: 1)?.message.payload == [])
    #expect(drain(&queues) == ["state new"])
    queues.close()
    queues.open()
    #expect(drain(&queues) == ["state new"])
  }

  @Test func topicsAreBounded() {
    var queues = queues()
    queues.open()
    for number in 0..<5000 { queues.append(Message("live/\(number)", "", .live), at: start) }
    for number in 0..<5000 { queues.append(Message("kept/\(number)", "", .retained), at: start) }
    #expect(queues.dropped == 2 * (5000 - SendQueues.topicCapacity))
  }
}
