import Languages
import Weighing

extension MessageComposer {
  /// Makes the answer to a request that the scale has completed or rejected.
  ///
  /// - Parameter caller: The client that sent the request; `nil` if it did not come over MQTT.
  public mutating func answer(_ result: ActionResult, to caller: Caller?) -> Message {
    answer(
      Answer(
        action: result.request.name, reason: result.rejection?.rawValue, detail: result.detail?.sentence,
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
        if let detail = command.detail { json.sentence("detail", detail) }
        json.field("tare_epoch", reading?.tareEpoch ?? 0)
      }
    }
    let answer = answer(
      Answer(
        action: command.name, reason: reason.rawValue, detail: command.detail, source: command.source, time: time,
        reading: reading), to: command.caller)
    return [event, answer]
  }

  /// Makes the answer to the command `resend`.
  public mutating func answer(_ result: ResendResult, to caller: Caller) -> Message {
    answer(
      Answer(
        action: Command.resendName, reason: result.rejection?.rawValue, detail: result.detail, source: result.source,
        time: result.time, resend: result), to: caller)
  }

  private struct Answer {
    var action: String
    /// Why the request was rejected; `nil` if it was performed.
    var reason: String?
    /// What exactly is wrong with the payload, or the limit that the request has hit.
    var detail: Sentence?
    var source: ActionSource
    var time: Instant
    var reading: Reading?
    var weighing: RecordedWeighing?
    var resend: ResendResult?
  }

  private mutating func answer(_ answer: Answer, to caller: Caller?) -> Message {
    var message = message(.result, .assured) { json, clock in
      json.object { json in
        json.fields(
          ("action", answer.action), ("ok", answer.reason == nil), ("reason", answer.reason),
          ("correlation", caller?.correlation))
        json.sentence("detail", or: answer.detail)
        json.fields(("source", answer.source.rawValue), ("time", clock.text(answer.time)))
        json.key("reading")
        if let reading = answer.reading { json.reading(reading, clock) } else { json.null() }
        json.key("weighing")
        if let weighing = answer.weighing { json.weighing(weighing, historical: false) } else { json.null() }
        if let resend = answer.resend { json.fields(of: resend) }
      }
    }
    if let topic = caller?.responseTopic { message.topic = topic }
    message.correlation = caller?.correlationData
    return message
  }
}

extension JSONWriter {
  /// Writes the fields that only the answer to `resend` has.
  fileprivate mutating func fields(of resend: ResendResult) {
    fields(
      ("from", resend.range.lowerBound), ("to", resend.range.upperBound), ("sent", resend.sent), ("last", resend.last))
    array("missing", resend.missing) { json, range in
      json.array { json in
        json.integer(range.lowerBound)
        json.integer(range.upperBound)
      }
    }
  }
}
