/// A barcode or RFID reader, which types codes like a keyboard (an item of `scanners`).
package struct ScannerBinding: Hashable, Sendable {
  /// The device; never `automatic`, which would grab every keyboard.
  package var device: PadSelector
  /// The keyboard layout that the scanner types in, by its XKB name: `us`, `de`, or with a variant `de(nodeadkeys)`.
  package var layout: String

  /// The layout of most scanners as delivered.
  package static let usualLayout = "us"

  /// Makes a binding.
  package init(device: PadSelector, layout: String = ScannerBinding.usualLayout) {
    (self.device, self.layout) = (device, layout)
  }
}
