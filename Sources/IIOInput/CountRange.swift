import Weighing

/// The range of a converter's counts, and how counts become raw values.
///
/// The raw value is the count above the bottom of the range, or below its top for an inverted channel. Raw values have
/// at most 31 bits, as evdev axes have; of a larger range the lowest bits are dropped.
package struct CountRange: Hashable, Sendable {
  /// The smallest count.
  package let bottom: Int64
  /// The largest count.
  package let top: Int64
  private let droppedBits: Int64

  /// Makes the range of a number of bits; `nil` unless there are 1 to 48.
  package init?(bits: Int, isSigned: Bool) {
    guard (1...48).contains(bits) else { return nil }
    bottom = isSigned ? -(1 << (bits - 1)) : 0
    top = isSigned ? (1 << (bits - 1)) - 1 : (1 << bits) - 1
    droppedBits = Int64(max(bits - 31, 0))
  }

  /// The raw value at the end of the range.
  package var maximum: Int32 { Int32((top - bottom) >> droppedBits) }

  /// The raw value of a count, and whether the count is at either end of the range, where the converter is saturated.
  package func raw(of count: Int64, isInverted: Bool) -> (force: RawForce, isSaturated: Bool) {
    let bounded = min(max(count, bottom), top)
    let raw = (isInverted ? top - bounded : bounded - bottom) >> droppedBits
    return (RawForce(Int(raw)), count <= bottom || count >= top)
  }
}

/// How a converter's buffer stores the counts of a channel; the text of `scan_elements/in_..._type`.
///
/// Source: Documentation/ABI/testing/sysfs-bus-iio of the kernel, `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`.
struct ScanType: Hashable {
  var isBigEndian: Bool
  var isSigned: Bool
  var bits: Int
  var storageBytes: Int
  /// The number of values of one element.
  var count = 1
  var shift: Int

  /// Reads the text of the attribute; `nil` if it is not valid.
  init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, parts[0] == "be" || parts[0] == "le", let sign = parts[1].first, "su".contains(sign)
    else { return nil }
    isBigEndian = parts[0] == "be"
    isSigned = sign == "s"
    let sizes = parts[1].dropFirst().split(separator: "/", maxSplits: 1)
    guard sizes.count == 2, let bits = Int(sizes[0]) else { return nil }
    let storage = sizes[1].split(separator: ">", omittingEmptySubsequences: true)
    let repeated = storage.first?.split(separator: "X") ?? []
    guard let storageBits = repeated.first.flatMap({ Int($0) }), [8, 16, 32, 64].contains(storageBits) else {
      return nil
    }
    if repeated.count > 1 {
      guard let count = Int(repeated[1]), (1...64).contains(count) else { return nil }
      self.count = count
    }
    shift = storage.count > 1 ? Int(storage[1]) ?? 0 : 0
    guard (1...storageBits).contains(bits), (0..<storageBits).contains(shift) else { return nil }
    self.bits = bits
    storageBytes = storageBits / 8
  }

  /// The range of the counts; `nil` for one that no converter has.
  var range: CountRange? { CountRange(bits: bits, isSigned: isSigned) }

  /// The count in the bytes of one element.
  func count(in bytes: some Sequence<UInt8>) -> Int64 {
    let word = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = UInt64(64 - bits)
    let aligned = (word >> UInt64(shift)) << unused
    return isSigned ? Int64(bitPattern: aligned) >> Int64(unused) : Int64(bitPattern: aligned >> unused)
  }
}
