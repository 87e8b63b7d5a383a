/// A program that is measured on the test stand.
enum CostProgram: String, CaseIterable {
  /// Grampad with its journal, without dashboard, metrics and discovery.
  case grampad
  /// Baselines/baseline.c.
  case c
  /// Baselines/baseline.py.
  case python
  /// Grampad with everything on: journal, dashboard, metrics, discovery.
  case full = "grampad_full"

  /// Maximum number of readings per second: the highest configurable value.
  ///
  /// It has to be well above the rate of the pad. In addition to one reading per frame, timers cause some readings; close
  /// to the limit they would delay all following readings by up to a millisecond. The other programs have no limit.
  private static let liveMaximum = 10_000

  /// The prefix of its topics.
  var prefix: String {
    switch self {
    case .grampad, .full: "grampad/\(rawValue)"
    case .c, .python: rawValue
    }
  }

  /// Its source and settings, for the report.
  var source: String {
    switch self {
    case .grampad: "grampad run, journal on, dashboard, metrics and discovery off"
    case .c: "Baselines/baseline.c: libevdev and libmosquitto, converts and publishes, one thread"
    case .python: "Baselines/baseline.py: python-evdev and paho-mqtt"
    case .full: "grampad run, everything on"
    }
  }

  /// The command line that starts it.
  func command(in environment: CostEnvironment) -> [String] {
    switch self {
    case .grampad, .full: [environment.grampad, "run", "--config", environment.path("\(rawValue).yaml")]
    case .c: [environment.path("baseline"), environment.path(rawValue + ".pad"), "\(environment.port)", prefix]
    case .python:
      [
        environment.tools.python, environment.path("baseline.py"), environment.path(rawValue + ".pad"),
        "\(environment.port)", prefix,
      ]
    }
  }

  /// The configuration of Grampad; `nil` for the other programs.
  ///
  /// It has no zones, so that the entire pad weighs, and publishes every frame, see `liveMaximum`.
  func configuration(in environment: CostEnvironment, dashboardPort: UInt16) -> String? {
    let isFull: Bool
    switch self {
    case .grampad: isFull = false
    case .full: isFull = true
    case .c, .python: return nil
    }
    return """
      device: {id: \(rawValue)}
      pad: {device: \(environment.path(rawValue + ".pad")), zones: {}}
      publish: {live_max_hz: \(Self.liveMaximum)}
      mqtt: {broker: "mqtt://127.0.0.1:\(environment.port)"}
      home_assistant: {discovery: \(isFull)}
      journal: {path: \(environment.path(rawValue + ".db"))}
      dashboard: {enabled: \(isFull), port: \(dashboardPort)}
      metrics: {enabled: \(isFull)}

      """
  }
}
