/// Who turns events into messages on the stand.
enum CostContender: String, CaseIterable {
  /// Grampad with its journal, without dashboard, metrics and discovery: what the others do, and what makes it a scale.
  case grampad
  /// Baselines/baseline.c.
  case c
  /// Baselines/baseline.py.
  case python
  /// Grampad with everything on: journal, dashboard, metrics, discovery.
  case full = "grampad_full"

  /// The most readings a second that are published, as many as can be configured.
  ///
  /// It has to be well above the rate of the pad: beside one reading a frame there is now and then one that time brings,
  /// and at the very limit these put off all that follow, by up to a millisecond. The others have no limit.
  private static let liveMaximum = 10_000

  /// What its messages stand below.
  var prefix: String {
    switch self {
    case .grampad, .full: "grampad/\(rawValue)"
    case .c, .python: rawValue
    }
  }

  /// Where it was taken from, for the report.
  var source: String {
    switch self {
    case .grampad: "grampad run, journal on, dashboard, metrics and discovery off"
    case .c: "Baselines/baseline.c: libevdev and libmosquitto, converts and publishes, one thread"
    case .python: "Baselines/baseline.py: python-evdev and paho-mqtt"
    case .full: "grampad run, everything on"
    }
  }

  /// The words that start it in a workshop.
  func command(in shop: Workshop) -> [String] {
    switch self {
    case .grampad, .full: [shop.grampad, "run", "--config", shop.path("\(rawValue).yaml")]
    case .c: [shop.path("baseline"), shop.path(rawValue + ".pad"), "\(shop.port)", prefix]
    case .python: [shop.tools.python, shop.path("baseline.py"), shop.path(rawValue + ".pad"), "\(shop.port)", prefix]
    }
  }

  /// Grampad's configuration; `nil` for the others.
  ///
  /// The whole pad weighs, and every frame may be published as far as the configuration goes, see `liveMaximum`.
  func configuration(in shop: Workshop, dashboardPort: UInt16) -> String? {
    let isFull: Bool
    switch self {
    case .grampad: isFull = false
    case .full: isFull = true
    case .c, .python: return nil
    }
    return """
      device: {id: \(rawValue)}
      pad: {device: \(shop.path(rawValue + ".pad")), zones: {}}
      publish: {live_max_hz: \(Self.liveMaximum)}
      mqtt: {broker: "mqtt://127.0.0.1:\(shop.port)"}
      home_assistant: {discovery: \(isFull)}
      journal: {path: \(shop.path(rawValue + ".db"))}
      dashboard: {enabled: \(isFull), port: \(dashboardPort)}
      metrics: {enabled: \(isFull)}

      """
  }
}
