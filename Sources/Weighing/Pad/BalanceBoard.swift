/// The Wii Balance Board as the kernel's driver hid-wiimote reports it: four load cells, one under each corner.
///
/// Source: drivers/hid/hid-wiimote-modules.c of the kernel, `wiimod_bboard_probe` and `wiimod_bboard_in_ext`.
enum BalanceBoard {
  /// The name that the driver gives to the device.
  static let name = "Nintendo Wii Remote Balance Board"

  /// The axes in the order of `PlatformCorner`.
  ///
  /// The driver reports the first four values of the extension report in their order (ABS_HAT0X, ABS_HAT0Y, ABS_HAT1X,
  /// ABS_HAT1Y). The comment "Balance board data layout" in `wiimod_bboard_in_ext` names them top right, bottom right,
  /// top left and bottom left.
  static let corners: [AxisCode] = [.hat0X, .hat0Y, .hat1X, .hat1Y]

  /// The range of a corner in counts.
  ///
  /// The driver states 0...65535, but interpolates between the three points of the factory calibration so that the
  /// second is 1700 and the third 3400: 17 kg and 34 kg in units of 10 g.
  static let range = AxisRange(minimum: 0, maximum: 3400)

  /// Counts per gram: one count is 10 g.
  static let countsPerGram = 0.1

  /// The recommended capacity: 34 kg on every corner.
  static let capacity = Grams(4 * Double(range.maximum) * division.value)
  /// The recommended division: one count.
  static let division = Grams(1 / countsPerGram)
}

extension PadDescription {
  /// Whether the device is a Wii Balance Board.
  public var isBalanceBoard: Bool { name == BalanceBoard.name && BalanceBoard.corners.allSatisfy { axes[$0] != nil } }

  /// A Wii Balance Board as the driver describes it. `fuzz` 2 and `flat` 4 are the driver's; the key is the power button.
  package static var balanceBoard: PadDescription {
    let stated = AxisRange(minimum: 0, maximum: 65_535, fuzz: 2, flat: 4)
    return PadDescription(
      name: BalanceBoard.name, id: PadIdentity(bus: 0x05, vendor: 0x057e, product: 0x0306, version: 0x8600),
      axes: Dictionary(uniqueKeysWithValues: BalanceBoard.corners.map { ($0, stated) }),
      keys: [KeyCode(rawValue: 0x130)])
  }

  /// The settings of the scale that suit a known device; `nil` for other devices.
  public var recommendedScale: (capacity: Grams, division: Grams)? {
    isBalanceBoard ? (BalanceBoard.capacity, BalanceBoard.division) : nil
  }
}
