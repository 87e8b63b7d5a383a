import Linux
import Messages
import Synchronization
import Testing
import Weighing

@testable import Appliance

@Suite struct PublisherTests {
  private let topics = Topics(prefix: "grampad", id: "kitchen")

  private func message(_ number: Int) -> Message {
    Message(topic: topics(.event), payload: Array("\(number)".utf8), delivery: .assured)
  }

  /// The first message is being delivered while another thread publishes the second. That thread must not wait, and
  /// the second message must not overtake the first.
  @Test func aMessagePublishedDuringADeliveryFollowsIt() {
    let (isDelivering, hasPublished) = (Signal(), Signal())
    let order = Mutex<[String]>([])
    let hasWaited = Mutex(true)
    let publisher = Publisher(topics: topics, heartbeat: .seconds(5)) { message in
      if message.payload == Array("1".utf8) {
        isDelivering.raise()
        let isDone = hasPublished.wait(milliseconds: 5000)
        hasWaited.withLock { $0 = !isDone }
      }
      order.withLock { $0.append(String(decoding: message.payload, as: UTF8.self)) }
    }
    OwnThread.start(name: "second") { [second = message(2)] in
      _ = isDelivering.wait(milliseconds: -1)
      publisher.publish(second)
      hasPublished.raise()
    }
    publisher.publish(message(1))
    _ = hasPublished.wait(milliseconds: -1)
    #expect(hasWaited.withLock { $0 } == false)
    #expect(order.withLock { $0 } == ["1", "2"])
  }

  /// Whatever the interleaving of the threads, a later health never precedes an earlier one, and the last one arrives.
  @Test func healthFromSeveralThreadsStaysInOrder() {
    let (threads, changes) = (4, 2000)
    let counts = Mutex<[Int]>([])
    let publisher = Publisher(
      topics: topics, heartbeat: .seconds(5),
      onHealth: { health in counts.withLock { $0.append(health.droppedMessages) } })
    let ends = (0..<threads).map { _ in Signal() }
    for end in ends {
      OwnThread.start(name: "health") {
        for _ in 0..<changes { publisher.updateHealth { $0.droppedMessages += 1 } }
        end.raise()
      }
    }
    for end in ends { _ = end.wait(milliseconds: -1) }
    let seen = counts.withLock { $0 }
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
    #expect(seen.last == threads * changes)
  }

  /// Health that is held back is for the page only, and is not overtaken by the health published after its release.
  @Test func heldHealthPrecedesReleasedHealth() {
    let dropped = Mutex<[String]>([])
    let holder = Mutex<Publisher?>(nil)
    let health = topics(.health)
    let publisher = Publisher(topics: topics, heartbeat: .seconds(5)) { message in
      if message.topic == health {
        let text = String(decoding: message.payload, as: UTF8.self)
        let count = text.firstRange(of: "\"dropped_messages\":").map { text[$0.upperBound...].prefix(1) } ?? "?"
        dropped.withLock { $0.append(String(count)) }
      } else {
        // During this delivery, so that all three are delivered together.
        guard let publisher = holder.withLock({ $0 }) else { return }
        publisher.updateHealth { $0.droppedMessages = 1 }
        publisher.releaseHealth()
        publisher.updateHealth { $0.droppedMessages = 2 }
      }
    }
    publisher.holdHealth()
    holder.withLock { $0 = publisher }
    publisher.publish(message(1))
    #expect(dropped.withLock { $0 } == ["1", "1", "2"])
    holder.withLock { $0 = nil }
  }

  /// The page's handler may itself publish.
  @Test func aHandlerMayPublish() {
    let order = Mutex<[Int]>([])
    let holder = Mutex<Publisher?>(nil)
    let publisher = Publisher(topics: topics, heartbeat: .seconds(5)) { message in
      order.withLock { $0.append(message.payload.count) }
      if message.payload.count < 3 {
        let longer = Message(topic: message.topic, payload: message.payload + [0x31], delivery: .assured)
        holder.withLock { $0 }?.publish(longer)
      }
    }
    holder.withLock { $0 = publisher }
    publisher.publish(message(1))
    #expect(order.withLock { $0 } == [1, 2, 3])
    holder.withLock { $0 = nil }
  }

  /// In the order of the calls, under the topic of the time; the page is not concerned.
  @Test func outputsAreSwitchedUnderTheirTopics() throws {
    let mill = try #require(OutputName("mill"))
    let switches = ["a", "b"].map { OutputSwitch(output: Output(name: mill), topic: $0) }
    let switched = Mutex<[String]>([])
    let publisher = Publisher(topics: topics, heartbeat: .seconds(5)) { message in
      guard message.delivery == .urgent else { return }
      switched.withLock { $0.append("\(message.topic) \(String(decoding: message.payload, as: UTF8.self))") }
    }
    let (on, off) = (OutputChange(name: mill, isOn: true), OutputChange(name: mill, isOn: false))
    let moment = Instant(nanoseconds: 0)
    publisher.publish(.output(on, at: moment))
    publisher.setOutputs([switches[0]])
    publisher.publish(.output(on, at: moment))
    publisher.setOutputs([switches[1]])
    publisher.publish(.output(off, at: moment))
    publisher.switchOutputsOff()
    publisher.setOutputs([])
    publisher.publish(.output(on, at: moment))
    #expect(switched.withLock { $0 } == ["a ON", "a OFF", "b OFF", "a OFF", "b OFF", "b OFF"])
    // The next connection switches the former ones off, but not a later one.
    switched.withLock { $0 = [] }
    publisher.updateHealth { $0.broker = .connected(address: "mqtt://a", version: "5") }
    publisher.switchOutputsOff()
    publisher.switchOutputsOff()
    #expect(switched.withLock { $0 } == ["a OFF", "b OFF"])
    publisher.setOutputs([switches[0]])
    publisher.setOutputs([])
    publisher.switchOutputsOff()
    publisher.switchOutputsOff()
    #expect(switched.withLock { $0 } == ["a OFF", "b OFF", "a OFF", "a OFF"])
  }

  /// A collector that has missed the last health learns the end of the sequence from the next one.
  @Test(arguments: [(interval: Interval.zero, count: 4), (interval: .seconds(3600), count: 1)])
  func healthIsRepeated(_ interval: Interval, _ count: Int) {
    let numbers = Mutex<[Int?]>([])
    let publisher = Publisher(
      topics: topics, heartbeat: .seconds(5), healthInterval: interval,
      onHealth: { health in numbers.withLock { $0.append(health.journalSequence) } })
    publisher.updateHealth { $0.journalSequence = 7 }
    for number in 1...3 { publisher.publish(message(number)) }
    #expect(numbers.withLock { $0 } == Array(repeating: 7, count: count))
  }
}
