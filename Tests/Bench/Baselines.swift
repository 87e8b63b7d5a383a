import CBaselines

/// The text of a file in the folder Baselines.
func baseline(_ name: String) -> String {
  guard let text = grampad_baseline(name) else { preconditionFailure("CBaselines has no file \(name)") }
  return String(cString: text)
}
