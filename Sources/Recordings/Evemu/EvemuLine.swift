/// Parses the fields of one line without its line break: blanks, numbers, comments.
///
/// Every function reads from a position and advances it. A number ends at a blank, at a comment or at the end of the
/// line. `nil` means that there is no such number at the position, which then remains the same.
extension Span where Element == UInt8 {
  /// Skips blanks: space, tab, and the carriage return of a CRLF file.
  @inline(__always)
  func skipBlanks(_ place: inout Int) {
    while place < count, self[place] == 0x20 || (0x09...0x0d).contains(self[place]) { place += 1 }
  }

  /// Whether there are no more fields: the end, or a comment.
  @inline(__always)
  func isEnd(_ place: Int) -> Bool { place >= count || self[place] == UInt8(ascii: "#") }

  /// Whether a field may end here.
  @inline(__always)
  private func isFieldEnd(_ place: Int) -> Bool {
    isEnd(place) || self[place] == 0x20 || (0x09...0x0d).contains(self[place])
  }

  /// The end of the field that starts at a position.
  func fieldEnd(_ place: Int) -> Int {
    var end = place
    while !isFieldEnd(end) { end += 1 }
    return end
  }

  /// A number of 1 to `digits` hexadecimal digits, without a prefix.
  @inline(__always)
  func hexadecimal(_ place: inout Int, digits: Int) -> UInt16? {
    var number: UInt16 = 0
    var end = place
    while end < count, end - place < digits {
      let byte = self[end]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: digit = 16
      }
      if digit > 15 { break }
      number = number << 4 | UInt16(digit)
      end += 1
    }
    guard end > place, isFieldEnd(end) else { return nil }
    place = end
    return number
  }

  /// A number of decimal digits up to `limit`, which ends with the digits.
  @inline(__always)
  func digits(_ place: inout Int, limit: Int64) -> Int64? {
    var number: Int64 = 0
    var end = place
    while end < count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[end]) {
      number = number * 10 + Int64(self[end] - UInt8(ascii: "0"))
      guard number <= limit else { return nil }
      end += 1
    }
    guard end > place else { return nil }
    place = end
    return number
  }

  /// A decimal number with an optional sign and leading zeros, in the range of the value of an event.
  @inline(__always)
  func decimal(_ place: inout Int) -> Int32? {
    var end = place
    let negative = end < count && self[end] == UInt8(ascii: "-")
    if negative || end < count && self[end] == UInt8(ascii: "+") { end += 1 }
    guard let number = digits(&end, limit: Int64(Int32.max) + 1), isFieldEnd(end),
      let value = Int32(exactly: negative ? -number : number)
    else { return nil }
    place = end
    return value
  }

  /// A time in the format of evemu, `seconds.microseconds`; `EvemuReader` gives the reasons.
  @inline(__always)
  func time(_ place: inout Int, maximumSeconds: Int64) -> (seconds: Int64, microseconds: Int64)? {
    var end = place
    guard let seconds = digits(&end, limit: maximumSeconds), end < count, self[end] == UInt8(ascii: ".") else {
      return nil
    }
    end += 1
    let dot = end
    guard let microseconds = digits(&end, limit: 999_999), end - dot <= 6, isFieldEnd(end) else { return nil }
    place = end
    return (seconds, microseconds)
  }
}
