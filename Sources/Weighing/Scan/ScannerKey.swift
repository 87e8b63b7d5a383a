/// What a scanner has typed: a code is a sequence of characters up to Enter.
package enum ScannerKey: Hashable, Sendable {
  /// A key that gives a character in the layout of the scanner.
  case character(Character)
  /// Enter, which ends a code.
  case enter
  /// A key that gives no character.
  case unknown
  /// Events were lost, or the device was.
  case gap
}
