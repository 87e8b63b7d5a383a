import Weighing

extension MessageComposer {
  /// The answer to a request that the scale has decided on.
  ///
  /// - Parameter caller: The client that sent the request; `nil` if it did not come over MQTT.
  public mutating func answer(_ result: ActionResult, to caller: Caller?) -> Message {
    answer(
      Answer(
        action: result.request.name, reason: result.rejection?.rawValue, source: result.request.source,
        time: result.time, reading: result.reading,
        weighing: result.weighing), to: caller)
  }

  /// What is said of a command that does not get as far as the scale: the event, and the answer.
  ///
  /// - Parameter reading: The newest there is; `nil` before the first.
  public mutating func refusal(
    of command: Command, _ reason: Command.Refusal, reading: Reading?, at time: Instant
  ) -> [Message] {
    let event = message(.event, .assured) { json, clock in
      json.object { json in
        json.fields(
          ("type", "rejected"), ("time", clock.text(time)), ("action", command.name), ("reason", reason.rawValue))
        json.key("tare_epoch")
        json.integer(reading?.tareEpoch ?? 0)
      }
    }
    let answer = answer(
      Answer(
        action: command.name, reason: reason.rawValue, detail: reason == .badPayload ? command.detail : nil,
        source: command.source, time: time, reading: reading), to: command.caller)
    return [event, answer]
  }

  private struct Answer {
    var action: String
    /// `nil` when it was done.
    var reason: String?
    /// What exactly was wrong.
    var detail: String?
    var source: ActionSource
    var time: Instant
    var reading: Reading?
    var weighing: RecordedWeighing?
  }

  private mutating func answer(_ answer: Answer, to caller: Caller?) -> Message {
    var message = message(.result, .assured) { json, clock in
      json.object { json in
        json.fields(("action", answer.action))
        json.key("ok")
        json.boolean(answer.reason == nil)
        let texts = [("reason", answer.reason), ("correlation", caller?.correlation), ("detail", answer.detail)]
        for (name, text) in texts {
          json.key(name)
          json.string(text)
        }
        json.fields(("source", answer.source.rawValue), ("time", clock.text(answer.time)))
        json.key("reading")
        if let reading = answer.reading { json.reading(reading, clock) } else { json.null() }
        json.key("weighing")
        if let weighing = answer.weighing { json.weighing(weighing, historical: false) } else { json.null() }
      }
    }
    if let topic = caller?.responseTopic { message.topic = topic }
    message.correlation = caller?.correlationData
    return message
  }
}
