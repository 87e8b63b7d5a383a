import Linux
import Messages
import Synchronization
import Weighing

/// Counts what a collector does, for Prometheus. The names are an interface and do not change; Fleet.md lists them.
package final class CollectorMetrics: Sendable {
  /// What a collector is connected to.
  enum Part: String, Hashable, Sendable, CaseIterable {
    case broker, database
  }

  /// All devices of the database, as of the last look.
  struct Fleet: Hashable, Sendable {
    var devices = 0
    /// Devices with missing records.
    var incomplete = 0
    var missing = 0
    var lost = 0
    /// Identifiers in `conflict`.
    var idConflicts = 0
  }

  private struct Connection: Sendable {
    var isUp = false
    var count = 0
    /// The last error, and when it happened since 1970.
    var error: (text: String, time: Instant)?
  }

  private struct State: Sendable {
    var saved = FleetStore.Saved()
    var rejected = 0
    var invalid = 0
    var dropped = 0
    var batches = 0
    var time = Interval.zero
    var requests = 0
    var fleet: Fleet?
    var connections: [Part: Connection] = [:]
  }

  private let state = Mutex(State())

  /// Starts with all counts at zero.
  package init() {}

  /// Counts records that were sent to the database in one batch.
  func countBatch(_ saved: FleetStore.Saved, took time: Interval) {
    state.withLock { state in
      state.batches += 1
      state.time = state.time + time
      state.saved += saved
    }
  }

  /// Counts a record that PostgreSQL rejects.
  func countRejection() { state.withLock { $0.rejected += 1 } }

  /// Counts a message that cannot be stored.
  func countInvalid() { state.withLock { $0.invalid += 1 } }

  /// Counts messages for which there was no room.
  func countDropped(_ count: Int) { state.withLock { $0.dropped += count } }

  /// Counts requests for missing records.
  func countRequests(_ count: Int) { state.withLock { $0.requests += count } }

  /// Sets what is known of all devices.
  func set(_ fleet: Fleet) { state.withLock { $0.fleet = fleet } }

  /// Counts a connection.
  func connect(_ part: Part) {
    state.withLock { state in
      state.connections[part, default: Connection()].isUp = true
      state.connections[part, default: Connection()].count += 1
    }
  }

  /// Notes that a connection has ended or cannot be made.
  func disconnect(_ part: Part, _ error: String) {
    state.withLock { state in
      state.connections[part, default: Connection()].isUp = false
      state.connections[part, default: Connection()].error = (error, .wallClock())
    }
  }

  /// What does not work: empty while broker and database are connected.
  package var faults: [String] {
    state.withLock { state in
      Part.allCases.compactMap { part in
        let connection = state.connections[part] ?? Connection()
        return connection.isUp ? nil : "\(part.rawValue): \(connection.error?.text ?? "not connected yet")"
      }
    }
  }

  /// The metrics.
  package var text: MetricsText {
    let state = state.withLock { $0 }
    var text = MetricsText()
    text.addBuildInfo(of: "grampad_collector")
    text.add("grampad_collector_info", .gauge, "Version of the program.", [([("version", Version.text)], 1)])
    func count(_ name: String, _ help: String, _ value: Int) {
      text.add("grampad_collector_\(name)_total", .counter, help, Double(value))
    }
    count("records_stored", "Weighings, voids and relabels stored.", state.saved.stored)
    count("records_duplicate", "Records that were stored already.", state.saved.duplicates)
    count("records_rejected", "Records that PostgreSQL rejected.", state.rejected)
    count("sequence_conflicts", "Records with the sequence of another record.", state.saved.conflicts)
    count(
      "id_conflicts", "Records with an identifier of another device, or different from the stored one.",
      state.saved.idConflicts)
    count("messages_invalid", "Messages that cannot be stored.", state.invalid)
    count("messages_dropped", "Messages dropped because too many were waiting.", state.dropped)
    count("requests", "Requests for missing records.", state.requests)
    text.add(
      "grampad_collector_batch_seconds", "Time to store a batch of records.", sum: state.time.seconds,
      count: state.batches)
    write(state.connections, to: &text)
    guard let fleet = state.fleet else { return text }
    for (name, help, value) in [
      ("devices", "Devices in the database.", fleet.devices),
      ("incomplete_devices", "Devices with missing records.", fleet.incomplete),
      ("records_missing", "Records known to exist and not stored.", fleet.missing),
      ("records_lost", "Records that devices no longer have.", fleet.lost),
      ("id_conflicts", "Identifiers of several records.", fleet.idConflicts),
    ] { text.add("grampad_fleet_\(name)", .gauge, help, Double(value)) }
    return text
  }

  private func write(_ connections: [Part: Connection], to text: inout MetricsText) {
    func samples(_ value: (Connection) -> Double?) -> [MetricsText.Sample] {
      Part.allCases.compactMap { part in
        value(connections[part] ?? Connection()).map { ([("part", part.rawValue)], $0) }
      }
    }
    text.add("grampad_collector_up", .gauge, "Whether broker and database are connected.", samples { $0.isUp ? 1 : 0 })
    text.add(
      "grampad_collector_connections_total", .counter, "Connections made; all but the first are reconnections.",
      samples { Double($0.count) })
    text.add(
      "grampad_collector_last_error_timestamp_seconds", .gauge, "When a connection last failed, since the Unix epoch.",
      samples { ($0.error?.time.nanoseconds).map { Double($0 / 1_000_000_000) } })
  }
}
