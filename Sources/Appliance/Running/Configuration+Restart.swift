import Configuration

extension Configuration {
  /// This configuration, with the values of an older one for keys that only a restart can change.
  func keepingWhatNeedsRestart(of old: Configuration) -> Configuration {
    var new = self
    new.device.id = old.device.id
    new.mqtt.prefix = old.mqtt.prefix
    new.mqtt.embeddedPort = old.mqtt.embeddedPort
    if (new.mqtt.broker == .embedded) != (old.mqtt.broker == .embedded) { new.mqtt.broker = old.mqtt.broker }
    new.journal.path = old.journal.path
    new.dashboard.isEnabled = old.dashboard.isEnabled
    (new.dashboard.address, new.dashboard.port) = (old.dashboard.address, old.dashboard.port)
    return new
  }
}

extension Configuration.Pad {
  /// Whether the device has to be opened anew.
  func needsAnotherSource(than old: Configuration.Pad) -> Bool {
    device != old.device || axis != old.axis || grab != old.grab || rotation != old.rotation
  }
}
