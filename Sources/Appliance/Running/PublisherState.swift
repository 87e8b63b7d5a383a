import MQTTLink
import Messages
import Weighing

/// What a `Publisher` knows: what it has published and what is still to be published; a value.
struct PublisherState: Sendable {
  var composer: MessageComposer
  var health: Health { didSet { mayDiffer = true } }
  /// Whether `health` was set since it was compared with `published`.
  var mayDiffer = true
  /// Health as last published; `nil` if it is published even without a change.
  var published: Health? { didSet { mayDiffer = true } }
  /// When health is published even without a change.
  var nextHealth: Instant
  let healthInterval: Interval
  let (clock, wallOffset): (@Sendable () -> Instant, @Sendable () -> Interval)
  /// Whether health is held back and, once connected, until when at most.
  var holdsHealth = false
  var heldUntil: Instant?
  var link: MQTTLink?
  var retained: [String: Message] = [:]
  /// Outputs that were removed or changed: the next connection switches them off.
  var formerOutputs: [OutputSwitch] = []
  /// The newest reading published.
  var reading: Reading?
  /// The newest weighing that is not voided, as last published; `nil` while the journal has not been read.
  var lastWeighing: LastWeighing?

  /// The newest weighing that is not voided, as far as it was published.
  enum LastWeighing: Sendable {
    /// All weighings are voided, or there are none.
    case none
    case some(RecordedWeighing)

    init(_ record: RecordedWeighing?) { self = record.map(Self.some) ?? .none }

    var record: RecordedWeighing? {
      switch self {
      case .none: nil
      case .some(let record): record
      }
    }
  }

  /// Whether there is a connection to a broker, as far as it is known.
  var isConnected: Bool { if case .connected = health.broker { true } else { false } }

  mutating func setClock() { composer.clock = WallClock(offset: wallOffset()) }

  mutating func compose(_ effect: Effect, into messages: inout [Message]) {
    setClock()
    composer.messages(for: effect, into: &messages)
  }

  mutating func append(_ messages: [Message], to output: inout PublisherOutput) {
    output.messages += messages
    retain(messages[...])
  }

  /// Keeps the retained messages for later links.
  mutating func retain(_ messages: ArraySlice<Message>) {
    for message in messages where message.delivery == .retained {
      retained[message.topic] = message
    }
  }

  mutating func composeLastWeighing(into output: inout PublisherOutput) {
    guard let lastWeighing else { return }
    append([composer.lastWeighing(lastWeighing.record, historical: true)], to: &output)
  }

  mutating func releaseHealth(into output: inout PublisherOutput) {
    guard holdsHealth else { return }
    holdsHealth = false
    output.unwantedTopic = composer.topics(.health)
    published = nil
  }

  mutating func composeHealth(into output: inout PublisherOutput) {
    let now = clock()
    guard mayDiffer && health != published || nextHealth <= now else {
      mayDiffer = false
      return
    }
    published = health
    mayDiffer = false
    nextHealth = now + healthInterval
    output.health = [health]
    setClock()
    let message = composer.health(health, at: now)
    if holdsHealth {
      output.localIndices.insert(output.messages.count)
      output.messages.append(message)
    } else {
      append([message], to: &output)
    }
  }
}
