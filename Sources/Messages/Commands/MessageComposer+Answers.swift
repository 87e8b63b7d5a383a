import Weighing

extension MessageComposer {
  /// Makes the answer to a request that the scale has completed or rejected.
  ///
  /// - Parameter caller: The client that sent the request; `nil` if it did not come over MQTT.
  public mutating func answer(_ result: ActionResult, to caller: Caller?) -> Message {
    answer(
      Answer(
        action: result.request.name, reason: result.rejection?.rawValue, detail: result.detail?.description,
        source: result.request.source, time: result.time, reading: result.reading, weighing: result.weighing),
      to: caller)
  }

  /// Makes the event and the answer for a command that is rejected before it reaches the scale.
  ///
  /// - Parameter reading: The newest reading; `nil` before the first.
  public mutating func rejection(
    of command: Command, _ reason: CommandError, reading: Reading?, at time: Instant
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
    /// Why the request was rejected; `nil` if it was performed.
    var reason: String?
    /// What exactly is wrong with the payload, or what to do about the rejection.
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
