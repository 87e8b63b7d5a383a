import Linux
import Messages
import Weighing

/// The messages of a light device, made by the code of an appliance.
struct LightMessages {
  let topics: Topics
  private var composer: MessageComposer

  init(_ id: String, _ context: LightContext) {
    topics = Topics(prefix: context.settings.prefix, id: id)
    composer = MessageComposer(topics: topics, heartbeat: .zero, clock: .recorded)
  }

  func availability(_ online: Bool) -> Message { composer.availability(online) }

  mutating func weighing(_ record: RecordedWeighing, historical: Bool) -> Message {
    composer.weighing(record, historical: historical)
  }

  func answer(_ result: ResendResult, to caller: Caller) -> Message {
    var composer = composer
    return composer.answer(result, to: caller)
  }

  func health(
    _ journal: LightJournal, _ broker: BrokerAddress, _ version: ProtocolVersion, at moment: Moment
  ) -> Message {
    var health = Health(
      pad: .present(name: "light device", path: "simulated"),
      broker: .connected(address: broker.description, version: version.rawValue),
      calibration: Calibration.Origin.user.rawValue, journal: .available(path: ":memory:"),
      outbox: Health.Outbox(waiting: journal.waiting), configurationError: nil, version: Version.text)
    health.journalSequence = journal.sequence
    health.clock = moment.clock
    var composer = composer
    return composer.health(health, at: moment.wall)
  }
}
