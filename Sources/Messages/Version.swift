/// What this program calls itself.
package enum Version {
  /// The version, as `--version` and `health` give it.
  package static let text = "0.1.0"
}
