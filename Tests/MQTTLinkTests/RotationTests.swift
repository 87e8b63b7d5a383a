import Messages
import Testing
import Weighing

@testable import MQTTLink

/// Draws the largest number that fits, so that a wait is as long as its bound.
private struct Largest: RandomNumberGenerator {
  mutating func next() -> UInt64 { .max }
}

@Suite struct RotationTests {
  private let a = BrokerAddress(host: "a", port: 1)
  private let b = BrokerAddress(host: "b", port: 2)

  @Test func waitsDoubleUpToTheLongest() {
    var backOff = BackOff(first: .seconds(0.5), longest: .seconds(30))
    var source = Largest()
    let bounds = (0..<9).map { _ in
      defer { _ = backOff.next(using: &source) }
      return backOff.bound.nanoseconds / 1_000_000
    }
    #expect(bounds == [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
    backOff.reset()
    #expect(backOff.bound == .seconds(0.5))
  }

  @Test func waitsAreSpreadFromZeroToTheBound() {
    var source = SystemRandomNumberGenerator()
    let waits = (0..<400).map { _ in
      var backOff = BackOff(first: .seconds(1), longest: .seconds(1))
      return backOff.next(using: &source).seconds
    }
    #expect(waits.allSatisfy { 0...1 ~= $0 })
    #expect(waits.contains { $0 < 0.2 } && waits.contains { $0 > 0.8 })
  }

  @Test func goesThroughTheListAndWaitsAtItsEnd() {
    var rotation = BrokerRotation(LinkSettings(brokers: [a, b], clientID: "x"))
    var source = Largest()
    #expect(rotation.broker == a)
    #expect(rotation.failed(because: .unreachable(""), using: &source) == .zero)
    #expect(rotation.broker == b)
    #expect(rotation.failed(because: .unreachable(""), using: &source) > .zero)
    #expect(rotation.broker == a)
  }

  @Test func staysWithTheBrokerThatWasLost() {
    var rotation = BrokerRotation(LinkSettings(brokers: [a, b], clientID: "x"))
    var source = Largest()
    _ = rotation.failed(because: .unreachable(""), using: &source)
    rotation.connected()
    _ = rotation.lost(because: .closed, afterLasting: true, using: &source)
    #expect(rotation.broker == b)
  }

  @Test(arguments: [LinkError.silent, .unacknowledged(.seconds(30))])
  func goesOnAtOnceFromABrokerThatIsFrozen(fault: LinkError) {
    var rotation = BrokerRotation(LinkSettings(brokers: [a, b], clientID: "x"))
    var source = Largest()
    rotation.connected()
    #expect(rotation.lost(because: fault, afterLasting: true, using: &source) == .zero)
    #expect(rotation.broker == b)
    rotation.connected()
    #expect(rotation.lost(because: fault, afterLasting: true, using: &source) == .zero)
    #expect(rotation.broker == a)
    var single = BrokerRotation(LinkSettings(brokers: [a], clientID: "x"))
    single.connected()
    #expect(single.lost(because: fault, afterLasting: true, using: &source) > .zero)
  }

  /// Two clients with one identifier: each connection lasts until the other's next attempt.
  @Test(arguments: [LinkError.sessionTakenOver(clientID: "x"), .closedRepeatedly(clientID: "x")])
  func waitsLongerEachTimeAnotherClientDisplacesIt(fault: LinkError) {
    var rotation = BrokerRotation(LinkSettings(brokers: [a], clientID: "x"))
    var source = Largest()
    let waits = (0..<3).map { _ in rotation.lost(because: fault, afterLasting: true, using: &source) }
    #expect(waits[0] < waits[1] && waits[1] < waits[2])
    #expect(rotation.lost(because: .closed, afterLasting: true, using: &source) < waits[1])
  }

  /// A proxy or a restarting broker closes connections, too.
  @Test(arguments: [LinkError.closedBeforeConnack, .notMQTT("")])
  func triesTheNewestVersionAgainAtTheNextConnection(fault: LinkError) {
    var rotation = BrokerRotation(LinkSettings(brokers: [a], clientID: "x"))
    var source = Largest()
    #expect(rotation.failed(because: fault, using: &source) == .zero)
    #expect(rotation.version == .v311)
    rotation.connected()
    _ = rotation.lost(because: .closed, afterLasting: true, using: &source)
    #expect(rotation.version == .v5)
  }

  @Test func fallsBackAtOnceAndRemembersThatTheVersionWasRefused() {
    var rotation = BrokerRotation(LinkSettings(brokers: [a], clientID: "x"))
    var source = Largest()
    #expect(rotation.failed(because: .versionRefused(.v5), using: &source) == .zero)
    #expect(rotation.version == .v311)
    rotation.connected()
    _ = rotation.lost(because: .closed, afterLasting: true, using: &source)
    #expect(rotation.version == .v311)
  }

  @Test func beginsWithTheNewestVersionAgainAfterBothFailed() {
    var rotation = BrokerRotation(LinkSettings(brokers: [a], clientID: "x"))
    var source = Largest()
    _ = rotation.failed(because: .closedBeforeConnack, using: &source)
    #expect(rotation.version == .v311)
    #expect(rotation.failed(because: .closedBeforeConnack, using: &source) > .zero)
    #expect(rotation.version == .v5)
  }

  @Test func neverTriesFiveWhereOnlyThreeIsAllowed() {
    var rotation = BrokerRotation(LinkSettings(brokers: [a], clientID: "x", version: .v311))
    var source = Largest()
    #expect(rotation.version == .v311)
    _ = rotation.failed(because: .closedBeforeConnack, using: &source)
    #expect(rotation.version == .v311)
  }
}
