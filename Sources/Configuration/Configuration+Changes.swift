extension Configuration {
  /// The sections in which this configuration differs from an older one, so that only what they drive is restarted.
  package func changes(from old: Configuration) -> Set<Section> {
    Set(Section.allCases.filter { differs(from: old, in: $0) })
  }

  /// The changed keys that name things outside the process (topics, a port, a file), which a reload cannot change under
  /// those who use them: the old value stays in force until the appliance is started again.
  package func keysNeedingRestart(from old: Configuration) -> [String] {
    let keys: [(String, Bool)] = [
      ("device.id", device.id != old.device.id),
      ("mqtt.prefix", mqtt.prefix != old.mqtt.prefix),
      ("mqtt.embedded_port", mqtt.embeddedPort != old.mqtt.embeddedPort),
      ("mqtt.broker", (mqtt.broker == .embedded) != (old.mqtt.broker == .embedded)),
      ("journal.path", journal.path != old.journal.path),
      ("dashboard.enabled", dashboard.isEnabled != old.dashboard.isEnabled),
      ("dashboard.address", dashboard.address != old.dashboard.address),
      ("dashboard.port", dashboard.port != old.dashboard.port),
    ]
    return keys.filter(\.1).map(\.0)
  }

  private func differs(from old: Configuration, in section: Section) -> Bool {
    switch section {
    case .device: device != old.device
    case .pad: pad != old.pad
    case .scale: scale != old.scale
    case .calibration: calibration != old.calibration
    case .stability: stability != old.stability
    case .confirm: confirm != old.confirm
    case .buttons: buttons != old.buttons
    case .actions: actions != old.actions
    case .mqtt: mqtt != old.mqtt
    case .publish: publish != old.publish
    case .homeAssistant: homeAssistant != old.homeAssistant
    case .journal: journal != old.journal
    case .dashboard: dashboard != old.dashboard
    case .metrics: metrics != old.metrics
    }
  }
}
