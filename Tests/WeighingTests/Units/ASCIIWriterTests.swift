import Testing

@testable import Weighing

/// Numbers against the texts of the standard library.
@Suite struct ASCIIWriterTests {
  private func text(upTo capacity: Int = 64, _ body: (inout ASCIIWriter) -> Void) -> String {
    var bytes = Array("before ".utf8)
    bytes.append(upTo: capacity, body)
    return String(decoding: bytes.dropFirst(7), as: UTF8.self)
  }

  @Test func digits() {
    var numbers: [UInt64] = [0, 9, 10, 99, 100, .max, .max - 1, 10_000_000_000_000_000_000, 9_999_999_999_999_999_999]
    for _ in 0..<20_000 { numbers.append(.random(in: 0 ... .max) >> UInt64.random(in: 0..<64)) }
    for number in numbers {
      for width in [1, 2, 3, 20] {
        let expected = String(number)
        let zeros = String(repeating: "0", count: max(width - expected.count, 0))
        #expect(text { $0.put(digits: number, atLeast: width) } == zeros + expected)
      }
    }
  }

  /// What was written is the rounded number, with all zeros or with none at the end.
  @Test func roundedNumbers() throws {
    for _ in 0..<20_000 {
      let value = Double.random(in: -1...1) * [1e-3, 1, 385, 1e5, 1e9].randomElement()!
      let decimals = Int.random(in: 0...6)
      let fixed = text { $0.put(value, decimals: decimals) }
      let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
      #expect(try #require(Double(fixed)) == (value * scale).rounded() / scale && !fixed.hasPrefix("-0.0000000"))
      #expect(fixed.split(separator: ".").count == (decimals == 0 ? 1 : 2))
      let short = text { _ = $0.put(rounded: value, decimals: decimals, keepsZeros: false) }
      #expect(Double(short) == Double(fixed) && !(short.contains(".") && short.hasSuffix("0")) && short.last != ".")
    }
    for value in [Double.infinity, -.infinity, .nan, 1e16] {
      var isWritten = true
      let nothing = text { isWritten = $0.put(rounded: value, decimals: 2, keepsZeros: true) }
      #expect(nothing.isEmpty && !isWritten)
      #expect(text { $0.put(value, decimals: 2) } == String(value))
    }
  }

  @Test func texts() {
    let written = text { writer in
      writer.put("{\"unit\":\"")
      writer.put(text: MassUnit.ounce.rawValue)
      writer.put("\"}")
    }
    #expect(written == #"{"unit":"oz"}"#)
    #expect(text(upTo: 3) { $0.put("abc") } == "abc")
  }
}
