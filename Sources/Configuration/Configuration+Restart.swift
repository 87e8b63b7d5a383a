extension Configuration {
  /// The names of the keys that differ from an older configuration and take effect at the next start only.
  package func keysNeedingRestart(from old: Configuration) -> [String] {
    Self.restartKeys.filter { $0.differs(self, old) }.map(\.name)
  }

  /// This configuration with the values of an older one for the keys that take effect at the next start only.
  package func keepingKeysThatNeedRestart(of old: Configuration) -> Configuration {
    Self.restartKeys.reduce(into: self) { new, key in
      if key.differs(new, old) { key.copy(old, &new) }
    }
  }

  /// The keys that name something outside the process, such as a topic, a port or a file, which a reload cannot change while
  /// other programs use it.
  private static let restartKeys: [RestartKey] = [
    RestartKey("device.id", \.device.id), RestartKey("mqtt.prefix", \.mqtt.prefix),
    RestartKey("mqtt.embedded_port", \.mqtt.embeddedPort),
    // From one external broker to another needs no restart.
    RestartKey("mqtt.broker", \.mqtt.broker) { ($0 == .embedded) != ($1 == .embedded) },
    RestartKey("journal.path", \.journal.path), RestartKey("dashboard.enabled", \.dashboard.isEnabled),
    RestartKey("dashboard.address", \.dashboard.address), RestartKey("dashboard.port", \.dashboard.port),
  ]

  private struct RestartKey: Sendable {
    let name: String
    let differs: @Sendable (Configuration, Configuration) -> Bool
    let copy: @Sendable (_ old: Configuration, _ new: inout Configuration) -> Void

    init<Value: Equatable & SendableMetatype>(
      _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable,
      differs: @escaping @Sendable (Value, Value) -> Bool = { $0 != $1 }
    ) {
      self.name = name
      self.differs = { differs($0[keyPath: path], $1[keyPath: path]) }
      copy = { old, new in new[keyPath: path] = old[keyPath: path] }
    }
  }
}

extension Configuration.Pad {
  /// Whether the device has to be opened again.
  package func needsAnotherSource(than old: Configuration.Pad) -> Bool {
    device != old.device || axis != old.axis || grab != old.grab || rotation != old.rotation
  }
}
