import Configuration
import Journal
import Weighing

/// The part of the configuration that the journal needs.
struct RecordContext: Hashable, Sendable {
  /// Identifies the whole configuration.
  var configurationHash: String
  /// Identifies the calibration.
  var calibrationHash: String
  /// The number of weighings that the zone `history` reaches; `nil` without one.
  var historyDepth: Int?
}

extension Configuration {
  /// The part of this configuration that the journal needs.
  var recordContext: RecordContext {
    var calibrated = Configuration()
    calibrated.calibration = calibration
    return RecordContext(
      configurationHash: fingerprint, calibrationHash: calibrated.fingerprint,
      historyDepth: pad.zones.contains { $0.purpose == .history } ? history.depth : nil)
  }
}

extension JournalLocation {
  /// The path, or `memory`.
  var text: String {
    switch self {
    case .file(let path): path
    case .memory: "memory"
    }
  }
}
