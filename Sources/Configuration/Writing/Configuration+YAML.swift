import Linux
import Weighing

extension Configuration {
  /// The whole configuration with all defaults as YAML, in the documented order.
  ///
  /// The text is deterministic, and parsing it gives an equal configuration. Keys without a default are omitted unless set.
  /// It contains no secrets, only the paths of their files.
  package func resolvedYAML() -> String { entries.map { $0.value.lines(key: $0.key, indent: "") }.joined() }

  /// A fingerprint of the configuration in 16 hexadecimal digits, for `configuration_hash`: 64-bit FNV-1a of
  /// `resolvedYAML()`, identical on every machine. It distinguishes configurations and is not cryptographic.
  package var fingerprint: String { HexadecimalText.fixed(fnv1a(resolvedYAML().utf8)) }
}
