/// Writes ASCII into memory of a fixed size, which is then appended to a buffer in one piece: to append each part takes a hundred
/// instructions more.
package struct ASCIIWriter {
  private var next: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>

  fileprivate init(_ start: UnsafeMutablePointer<UInt8>, count: Int) { (next, end) = (start, start + count) }

  fileprivate func count(from start: UnsafeMutablePointer<UInt8>) -> Int { next - start }

  /// Returns where the next bytes belong.
  @inline(__always) private mutating func advance(by count: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(count <= end - next, "the text is longer than announced")
    defer { next += count }
    return next
  }

  /// Writes a byte.
  package mutating func put(_ byte: UInt8) { advance(by: 1).initialize(to: byte) }

  /// Writes a text known at compile time.
  package mutating func put(_ text: StaticString) {
    advance(by: text.utf8CodeUnitCount).initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Writes a short text.
  package mutating func put(text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return }
      advance(by: bytes.count).initialize(from: start, count: bytes.count)
    }
  }

  /// Writes the decimal digits of a number, with leading zeros up to a width.
  package mutating func put(digits number: UInt64, atLeast width: Int = 1) {
    // Most numbers are this short.
    if number < 100, width <= 2 {
      let (tens, ones) = UInt8(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: 10)
      if tens > 0 || width == 2 { put(UInt8(ascii: "0") + tens) }
      return put(UInt8(ascii: "0") + ones)
    }
    var (count, bound) = (2, UInt64(100))
    // The largest number has 20 digits, and the bound has no more.
    while number >= bound, count < 20 { (count, bound) = (count + 1, bound &* 10) }
    count = max(count, width)
    var place = advance(by: count) + count
    var rest = number
    for _ in 0..<count {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place.initialize(to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    }
  }

  /// Writes a number rounded to 0...9 decimals, including trailing zeros; never `-0`.
  package mutating func put(_ value: Double, decimals: Int) {
    if !put(rounded: value, decimals: decimals, keepsZeros: true) { put(text: String(value)) }
  }

  /// Writes a number rounded to 0...9 decimals with or without zeros at the end; never `-0`. Returns `false`, and writes nothing, if the
  /// number is not finite or has too many digits.
  package mutating func put(rounded value: Double, decimals: Int, keepsZeros: Bool) -> Bool {
    var scale: UInt64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * Double(scale)).rounded()
    guard scaled.magnitude < 9e15 else { return false }
    if scaled <= -1 { put(UInt8(ascii: "-")) }
    var (whole, fraction) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: scale)
    put(digits: whole)
    guard decimals > 0, keepsZeros || fraction > 0 else { return true }
    var width = decimals
    while !keepsZeros, fraction % 10 == 0 { (fraction, width) = (fraction / 10, width - 1) }
    put(UInt8(ascii: "."))
    put(digits: fraction, atLeast: width)
    return true
  }
}

extension [UInt8] {
  /// Appends what `body` writes, at most `capacity` bytes.
  package mutating func append(upTo capacity: Int, _ body: (inout ASCIIWriter) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { memory in
      guard let start = memory.baseAddress else { return }
      var writer = ASCIIWriter(start, count: capacity)
      body(&writer)
      append(contentsOf: UnsafeBufferPointer(start: start, count: writer.count(from: start)))
    }
  }
}
