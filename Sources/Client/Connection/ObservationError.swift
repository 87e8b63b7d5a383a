import Weighing

/// Why there is no current reading.
package enum ObservationError: Error, Hashable, CustomStringConvertible {
  /// The broker reports that the appliance is not running.
  case offline
  /// No broker is available; with the reason.
  case noBroker(String)
  /// The broker is connected and the appliance sent no reading within this time.
  case noReading(Interval)
  /// The broker is connected and has no list of containers.
  case noContainers

  /// What failed and what to do about it.
  package var description: String {
    switch self {
    case .offline: "the appliance is offline: check that it is running"
    case .noBroker(let reason): "no broker: \(reason)"
    case .noContainers: "the appliance has published no list of containers: check --device and mqtt.prefix"
    case .noReading(let patience):
      "no reading within \(DecimalText.trimmed(patience.seconds, decimals: 3)) s: check that the appliance is running, and check --device and mqtt.prefix"
    }
  }
}
