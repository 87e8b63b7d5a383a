import Messages
import Testing
import Weighing

/// Composing into a list that is used again and again is the same as handing out a new one.
@Suite struct GivenListTests {
  /// Readings of a load that grows, as they are published.
  private var effects: [Effect] {
    var settings = ScaleSettings()
    settings.publish.contacts = true
    var machine = Sample.machine()
    var effects = machine.handle(.settings(settings), at: Sample.time)
    for step in 1...40 {
      let time = Sample.time + .milliseconds(150 * step)
      effects += machine.handle(Sample.frame(30 * step, 20 * step), at: time)
    }
    effects += machine.handle(.request(ActionRequest(action: .tare, source: .mqtt)), at: Sample.time + .seconds(6.1))
    return effects + machine.advance(to: Sample.time + .seconds(9))
  }

  @Test func theMessagesAreTheSame() {
    var (handingOut, appending) = (Sample.composer(), Sample.composer())
    var messages: [Message] = []
    for effect in effects {
      messages.removeAll(keepingCapacity: true)
      appending.messages(for: effect, into: &messages)
      #expect(messages == handingOut.messages(for: effect))
    }
  }

  /// The memory of a payload is reused, but not while it is referenced.
  @Test func messagesThatAreHeldStand() {
    let effects = effects
    var composer = Sample.composer()
    var held: [Message] = []
    for effect in effects { composer.messages(for: effect, into: &held) }
    let alone = effects.flatMap { effect in
      var composer = Sample.composer()
      return composer.messages(for: effect)
    }
    #expect(held.count > 80)
    #expect(Set(held.map(\.topic)).count >= 5)
    #expect(held == alone)
  }

  @Test func anUnreferencedPayloadIsReused() throws {
    var composer = Sample.composer()
    func place() throws -> UnsafeRawPointer? {
      let message = try #require(composer.messages(for: .live(Sample.settled())).first)
      return message.payload.withUnsafeBytes(\.baseAddress)
    }
    // The first ones grow the buffer.
    _ = try place()
    let first = try place()
    #expect(try place() == first)
  }
}
