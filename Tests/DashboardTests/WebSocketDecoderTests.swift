import Testing

@testable import Dashboard

/// The frames of a client, byte by byte.
struct WebSocketDecoderTests {
  /// A masked frame with a short length.
  private static func frame(_ first: UInt8, _ payload: [UInt8], mask: [UInt8] = [1, 2, 3, 4]) -> [UInt8] {
    var bytes: [UInt8] = [first]
    if payload.count < 126 {
      bytes.append(0x80 | UInt8(payload.count))
    } else {
      bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    }
    bytes += mask
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index % 4]) }
    return bytes
  }

  private static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let events: [WebSocketDecoder.Event]
  }

  static let cases: [Case] = [
    Case(testDescription: "a text", bytes: text("tare"), events: [.text("tare")]),
    Case(testDescription: "an empty text", bytes: text(""), events: [.text("")]),
    Case(testDescription: "two texts", bytes: text("a") + text("b"), events: [.text("a"), .text("b")]),
    Case(
      testDescription: "126 bytes", bytes: text(String(repeating: "x", count: 126)),
      events: [.text(String(repeating: "x", count: 126))]),
    Case(
      testDescription: "the longest", bytes: text(String(repeating: "x", count: 512)),
      events: [.text(String(repeating: "x", count: 512))]),
    Case(testDescription: "too long", bytes: text(String(repeating: "x", count: 513)), events: [.fault(.tooBig)]),
    Case(testDescription: "a length of 64 bits", bytes: [0x81, 0xff], events: [.fault(.tooBig)]),
    Case(
      testDescription: "a length that needs no 16 bits", bytes: [0x81, 0xfe, 0, 5], events: [.fault(.protocolError)]),
    Case(testDescription: "not masked", bytes: [0x81, 0x01, 0x61], events: [.fault(.protocolError)]),
    Case(testDescription: "a reserved bit", bytes: [0xc1, 0x80], events: [.fault(.protocolError)]),
    Case(testDescription: "an unknown opcode", bytes: [0x83, 0x80], events: [.fault(.protocolError)]),
    Case(testDescription: "binary", bytes: frame(0x82, [1]), events: [.fault(.notText)]),
    Case(testDescription: "not UTF-8", bytes: frame(0x81, [0xff]), events: [.fault(.notUTF8)]),
    Case(
      testDescription: "in three parts, with a ping between",
      bytes: frame(0x01, Array("ta".utf8)) + frame(0x89, [7]) + frame(0x00, []) + frame(0x80, Array("re".utf8)),
      events: [.ping([7]), .text("tare")]),
    Case(
      testDescription: "parts that are too long together",
      bytes: frame(0x01, [UInt8](repeating: 0x61, count: 400)) + frame(0x80, [UInt8](repeating: 0x61, count: 113)),
      events: [.fault(.tooBig)]),
    Case(testDescription: "a part without a beginning", bytes: frame(0x80, []), events: [.fault(.protocolError)]),
    Case(
      testDescription: "a text within a text", bytes: frame(0x01, []) + frame(0x81, []),
      events: [.fault(.protocolError)]),
    Case(testDescription: "a ping in parts", bytes: frame(0x09, []), events: [.fault(.protocolError)]),
    Case(testDescription: "a long ping", bytes: [0x89, 0xfe, 0, 126], events: [.fault(.protocolError)]),
    Case(testDescription: "a pong", bytes: frame(0x8a, []), events: [.pong]),
    Case(
      testDescription: "a close, and nothing after it", bytes: frame(0x88, [0x03, 0xe8]) + text("a"),
      events: [.close(1000)]),
    Case(testDescription: "a close without a code", bytes: frame(0x88, []), events: [.close(nil)]),
    Case(testDescription: "a close with half a code", bytes: frame(0x88, [3]), events: [.fault(.protocolError)]),
  ]

  @Test(arguments: cases)
  func decodes(_ it: Case) {
    var decoder = WebSocketDecoder()
    #expect(decoder.append(it.bytes) == it.events)
  }

  /// However the bytes are divided, the result is the same.
  @Test(arguments: cases)
  func decodesSingleBytes(_ it: Case) {
    var decoder = WebSocketDecoder()
    var events: [WebSocketDecoder.Event] = []
    for byte in it.bytes {
      events += decoder.append([byte])
      switch events.last {
      case .close?, .fault?:
        #expect(events == it.events)
        return
      case .text?, .ping?, .pong?, nil: break
      }
    }
    #expect(events == it.events)
  }

  @Test func composesFrames() {
    #expect(WebSocketFrame.text([0x61]) == [0x81, 1, 0x61])
    #expect(Array(WebSocketFrame.text([UInt8](repeating: 0, count: 300)).prefix(4)) == [0x81, 126, 1, 44])
    #expect(WebSocketFrame.close(1009) == [0x88, 2, 0x03, 0xf1])
    #expect(WebSocketFrame.close(nil) == [0x88, 0])
    #expect(WebSocketFrame.ping() == [0x89, 0])
    #expect(WebSocketFrame.pong([5]) == [0x8a, 1, 5])
  }
}
