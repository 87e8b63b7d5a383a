import EventLoop
import Weighing

extension Configuration {
  /// The whole configuration with all defaults as YAML, in the documented order.
  ///
  /// The text is deterministic, and parsing it gives an equal configuration. Keys without a default are omitted unless set.
  /// It contains no secrets, only the paths of their files.
  package func resolvedYAML() -> String {
    Section.allCases.map { yaml(of: $0).lines(key: $0.rawValue) }.joined()
  }

  /// A fingerprint of the configuration in 16 hexadecimal digits, for `configuration_hash`: 64-bit FNV-1a of
  /// `resolvedYAML()` (draft-eastlake-fnv), identical on every machine. It distinguishes configurations and is not
  /// cryptographic.
  package var fingerprint: String {
    HexadecimalText.fixed(fnv1a(resolvedYAML().utf8))
  }

  private enum SectionOutput {
    case entries([YAMLEntry])
    case items([YAMLOutput])

    func lines(key: String) -> String {
      switch self {
      case .entries(let entries): "\(key):\n" + entries.map { $0.value.lines(key: $0.key, indent: "  ") }.joined()
      case .items(let items): YAMLOutput.list(items).lines(key: key, indent: "")
      }
    }
  }

  private func yaml(of section: Section) -> SectionOutput {
    switch section {
    case .device: .entries(device.entries)
    case .pad: .entries(pad.entries)
    case .scale: .entries(scale.entries)
    case .calibration: .entries(calibration.entries)
    case .stability: .entries(stability.entries)
    case .confirm: .entries(confirm.entries)
    case .buttons: .items(buttons.map(\.yaml))
    case .actions: .items(actions.map(\.yaml))
    case .mqtt: .entries(mqtt.entries)
    case .publish: .entries(publish.entries)
    case .homeAssistant: .entries(homeAssistant.entries)
    case .journal: .entries(journal.entries)
    case .dashboard: .entries(dashboard.entries)
    case .metrics: .entries(metrics.entries)
    }
  }
}
