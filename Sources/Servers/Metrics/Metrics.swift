import Messages
import Weighing

/// The page /metrics in the text format of Prometheus. Its names are an interface and do not change; Dashboard.md lists them.
struct Metrics {
  let condition: Condition
  let readingAge: Interval?
  let counts: EventCounters.Counts
  let connections: Int
  let viewers: Int
  let closed: (evicted: Int, expired: Int)

  /// The text.
  var text: String {
    var text = MetricsText()
    writeReading(&text)
    writeHealth(&text)
    writeCounts(&text)
    writeHTTP(&text)
    ProcessUse.now()?.write(to: &text)
    return text.text
  }

  private func writeReading(_ text: inout MetricsText) {
    let reading = condition.reading
    text.add("grampad_net_grams", .gauge, "Net mass.", reading?["net_g"]?.number)
    text.add("grampad_gross_grams", .gauge, "Gross mass.", reading?["gross_g"]?.number)
    text.add("grampad_tare_grams", .gauge, "Tare.", reading?["tare_g"]?.number)
    text.add(
      "grampad_uncertainty_grams", .gauge, "Standard uncertainty of the net mass of a settled load.",
      reading?["uncertainty_g"]?.number)
    text.add("grampad_raw", .gauge, "Sum of the weighing contacts in counts.", reading?["raw"]?.number)
    let state = reading?["state"]?.text
    text.add(
      "grampad_state", .gauge, "State of the scale.",
      Reading.State.allCases.map { ([("state", $0.rawValue)], $0.rawValue == state ? 1 : 0) })
    text.add("grampad_reading_age_seconds", .gauge, "Time since the last reading.", readingAge?.seconds)
  }

  private func writeHealth(_ text: inout MetricsText) {
    let health = condition.health
    text.addBuildInfo(of: "grampad")
    text.add(
      "grampad_info", .gauge, "Version of the program.", [([("version", health?["version"]?.text ?? "")], 1)])
    func up(_ part: String, _ state: String) -> Double { condition.isHealthy(part, state) ? 1 : 0 }
    text.add("grampad_pad_up", .gauge, "Whether a pad is present.", up("pad", "present"))
    let pad = health?["pad"]
    text.add(
      "grampad_pad_sample_rate_hertz", .gauge, "Measured sample rate of the pad.", pad?["sample_rate_hz"]?.number)
    text.add(
      "grampad_pad_noise_grams", .gauge, "Measured noise of one sample, one standard deviation.",
      pad?["noise_g"]?.number)
    text.add("grampad_broker_up", .gauge, "Whether a broker is connected.", up("broker", "connected"))
    text.add("grampad_journal_up", .gauge, "Whether the journal accepts records.", up("journal", "available"))
    text.add(
      "grampad_outbox_waiting", .gauge, "Weighings not yet accepted by a broker.", health?["outbox"]?["waiting"]?.number
    )
    text.add(
      "grampad_outbox_parked", .gauge, "Weighings rejected by the broker.", health?["outbox"]?["parked"]?.number)
    text.add(
      "grampad_dropped_messages_total", .counter, "Messages dropped because the send queue was full.",
      health?["dropped_messages"]?.number)
  }

  private func writeCounts(_ text: inout MetricsText) {
    text.add("grampad_readings_total", .counter, "Readings published.", Double(counts.readings))
    text.add("grampad_settled_total", .counter, "Loads that settled.", Double(counts.settled))
    text.add("grampad_weighings_total", .counter, "Weighings recorded.", Double(counts.weighings))
    text.add("grampad_voids_total", .counter, "Weighings voided.", Double(counts.voids))
    text.add("grampad_relabels_total", .counter, "Labels changed.", Double(counts.relabels))
    text.add("grampad_overloads_total", .counter, "Overloads.", Double(counts.overloads))
    text.add("grampad_pad_losses_total", .counter, "Pad disconnections.", Double(counts.padLosses))
    let actions = counts.actions.sorted { ($0.key.source, $0.key.result) < ($1.key.source, $1.key.result) }
    text.add(
      "grampad_actions_total", .counter, "Actions by source and result.",
      actions.map { ([("source", $0.key.source), ("result", $0.key.result)], Double($0.value)) })
  }

  private func writeHTTP(_ text: inout MetricsText) {
    text.add("grampad_http_connections", .gauge, "Open connections.", Double(connections))
    text.add("grampad_http_viewers", .gauge, "Open live views: event streams and WebSockets.", Double(viewers))
    text.add(
      "grampad_http_answers_total", .counter, "HTTP responses by status code.",
      counts.responses.sorted { $0.key < $1.key }.map { ([("status", "\($0.key)")], Double($0.value)) })
    text.add(
      "grampad_http_closed_total", .counter, "Connections closed by the server, by reason.",
      [([("reason", "evicted")], Double(closed.evicted)), ([("reason", "expired")], Double(closed.expired))])
  }
}
