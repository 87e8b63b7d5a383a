/// Decodes the frames of a WebSocket client (RFC 6455, 5), within limits.
struct WebSocketDecoder {
  /// What a client has sent.
  enum Event: Hashable, Sendable {
    case text(String)
    case ping([UInt8])
    case pong
    /// With the status code, if the client gave one.
    case close(UInt16?)
    /// The client breaks the protocol or a limit; the status code with which to close (RFC 6455, 7.4.1).
    case fault(WebSocketFault)
  }

  /// The maximum length of a message. The commands are a few characters long.
  static let maximumBytes = 512

  private var buffer: [UInt8] = []
  /// The parts of a text message so far; `nil` outside a message.
  private var message: [UInt8]?

  private enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
  }

  private struct Header {
    var opcode: Opcode
    var isFinal: Bool
    /// The length of the header itself, with the mask.
    var size: Int
    var length: Int
  }

  /// Whether a frame has begun and is not complete.
  var isWaiting: Bool { !buffer.isEmpty }

  /// Adds bytes; returns what they complete. Nothing follows a fault or a close.
  mutating func append(_ bytes: [UInt8]) -> [Event] {
    buffer += bytes
    var events: [Event] = []
    do throws(WebSocketFault) {
      while let header = try header(), buffer.count >= header.size + header.length {
        let mask = buffer[(header.size - 4)..<header.size]
        let payload = buffer[header.size..<(header.size + header.length)].enumerated().map { index, byte in
          byte ^ mask[mask.startIndex + index % 4]
        }
        buffer.removeFirst(header.size + header.length)
        if let event = try event(header, payload) { events.append(event) }
        if case .close? = events.last { return events }
      }
    } catch {
      events.append(.fault(error))
    }
    return events
  }

  /// The header at the start of the buffer; `nil` if it is not complete.
  private func header() throws(WebSocketFault) -> Header? {
    guard buffer.count >= 2 else { return nil }
    // No extension is negotiated, so the reserved bits must be 0. A client must mask what it sends (5.1).
    guard buffer[0] & 0x70 == 0, let opcode = Opcode(rawValue: buffer[0] & 0x0f), buffer[1] & 0x80 != 0 else {
      throw .protocolError
    }
    let isFinal = buffer[0] & 0x80 != 0
    let short = Int(buffer[1] & 0x7f)
    let isControl = opcode.rawValue >= 8
    if isControl, !isFinal || short > 125 { throw .protocolError }
    // A length of 64 bits is always above the limit.
    guard short < 127 else { throw .tooBig }
    guard short == 126 else { return Header(opcode: opcode, isFinal: isFinal, size: 6, length: short) }
    guard buffer.count >= 4 else { return nil }
    let length = Int(buffer[2]) << 8 | Int(buffer[3])
    guard length >= 126 else { throw .protocolError }
    guard length <= Self.maximumBytes else { throw .tooBig }
    return Header(opcode: opcode, isFinal: isFinal, size: 8, length: length)
  }

  private mutating func event(_ header: Header, _ payload: [UInt8]) throws(WebSocketFault) -> Event? {
    switch header.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong
    case .close:
      guard payload.count != 1 else { throw .protocolError }
      return .close(payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1]))
    case .binary: throw .notText
    case .text, .continuation:
      // A message begins with its type, and its further frames continue it (5.4).
      guard (header.opcode == .text) == (message == nil) else { throw .protocolError }
      let whole = (message ?? []) + payload
      guard whole.count <= Self.maximumBytes else { throw .tooBig }
      guard header.isFinal else {
        message = whole
        return nil
      }
      message = nil
      guard let text = String(validating: whole, as: UTF8.self) else { throw .notUTF8 }
      return .text(text)
    }
  }
}

/// Why the server closes a WebSocket; the raw value is the status code.
enum WebSocketFault: UInt16, Error, Hashable, Sendable {
  case protocolError = 1002
  case notText = 1003
  case notUTF8 = 1007
  case tooBig = 1009
}

/// Composes the frames of a server, which are not masked and not fragmented.
enum WebSocketFrame {
  static func text(_ payload: [UInt8]) -> [UInt8] { frame(0x81, payload) }
  static func ping() -> [UInt8] { frame(0x89, []) }
  static func pong(_ payload: [UInt8]) -> [UInt8] { frame(0x8a, payload) }

  /// A close frame; without a status code if the client sent none.
  static func close(_ code: UInt16?) -> [UInt8] {
    frame(0x88, code.map { [UInt8($0 >> 8), UInt8($0 & 0xff)] } ?? [])
  }

  private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length =
      payload.count < 126
      ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8 & 0xff), UInt8(payload.count & 0xff)]
    return [first] + length + payload
  }
}
