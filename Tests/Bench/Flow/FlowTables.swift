/// The printed tables: one row for each pour, a column for each quantity.
struct FlowTables {
  let figures: [Figure]

  var all: [Table] {
    [
      table(
        "Simulated pours",
        [
          ("outside bound", "flow_outside_bound", "grampad"), ("error 95 %", "flow_error_p95", "grampad"),
          ("of a line", "flow_error_p95", "line"), ("unknown", "flow_unknown", "grampad"),
          ("at rest", "flow_at_rest_p95", "grampad"), ("start known", "start_known_p95", "grampad"),
          ("stop known", "stop_known_p95", "grampad"), ("start outside", "start_outside_bound", "grampad"),
          ("start 95 %", "start_error_p95", "grampad"), ("stop 95 %", "stop_error_p95", "grampad"),
        ]),
      table(
        "Recordings",
        [
          ("flowing", "flowing_time", "grampad"), ("unknown", "unknown_in_flow", "grampad"),
          ("in pours", "unknown_in_pour", "grampad"),
          ("lag", "lag", "grampad"), ("rms", "rms_at_lag", "grampad"), ("lag of own", "lag", "own"),
          ("rms of own", "rms_at_lag", "own"), ("at rest", "largest_at_rest", "grampad"),
          ("timed", "pours", "grampad"), ("start", "start_offset", "grampad"), ("stop", "stop_offset", "grampad"),
        ]),
      table(
        "Pours of the recordings",
        [
          ("of the data", "pours", "reference"), ("detected", "pours_detected", "grampad"),
          ("first start", "first_start_offset", "grampad"), ("last end", "last_end_offset", "grampad"),
        ]),
      table(
        "Loads at rest",
        [
          ("hours", "rest_time", "grampad"), ("false flows an hour", "false_flows", "grampad"),
          ("of the time", "false_flow_time", "grampad"), ("false pours", "false_pours", "grampad"),
        ]),
    ]
  }

  private func table(_ title: String, _ columns: [(title: String, what: String, contender: String)]) -> Table {
    var table = Table(title, columns: ["on"] + columns.map(\.title))
    let shown = figures.filter { figure in columns.contains { $0.what == figure.what } }
    for row in shown.grouped(by: { [$0.on] }) {
      let values = Dictionary(row.map { ([$0.what, $0.contender], $0.value) }) { _, last in last }
      table.append([row[0].on] + columns.map { Table.number(values[[$0.what, $0.contender]] ?? nil) })
    }
    return table
  }
}
