import Messages
import Testing

@testable import Simulating

/// The packets of MQTT 5; that a broker accepts them is tested with a real one in FleetTests.
@Suite struct PacketTests {
  /// CONNACK with Receive Maximum 20, PUBLISH with response topic and correlation, PUBACK with a reason, PINGRESP.
  private static let stream: [UInt8] =
    [0x20, 6, 0, 0, 3, 0x21, 0, 20]
    + [0x32, 21, 0, 1, 0x61, 0, 9, 13, 0x08, 0, 3, 0x61, 0x2f, 0x62, 0x09, 0, 2, 1, 2, 0x01, 1, 0x7b, 0x7d]
    + [0x40, 4, 1, 2, 0x97, 0] + [0xd0, 0]

  @Test func packetsAreReadFromPiecesOfAnySize() throws {
    for size in 1...Self.stream.count {
      var packets: [Packet] = []
      var input: ArraySlice<UInt8> = []
      for start in stride(from: 0, to: Self.stream.count, by: size) {
        input += Self.stream[start..<min(start + size, Self.stream.count)]
        while let packet = try Packet.take(from: &input) { packets.append(packet) }
      }
      #expect(
        packets == [
          .connack(code: 0, receiveMaximum: 20),
          .publish(
            IncomingMessage(
              topic: "a", payload: Array("{}".utf8), isRetained: false, responseTopic: "a/b", correlation: [1, 2]),
            identifier: 9),
          .puback(identifier: 0x102, code: 0x97), .pong,
        ])
      #expect(input.isEmpty)
    }
  }

  @Test(
    arguments: [
      [0x20, 0xff, 0xff, 0xff, 0xff], [0x20, 0xff, 0xff, 0xff, 0x7f], [0x00, 0], [0x20, 1, 0], [0x40, 1, 0],
      [0x32, 3, 0, 9, 0x61], [0x20, 4, 0, 0, 1, 0x7e],
    ] as [[UInt8]]) func whatIsNotMQTTIsAnError(_ bytes: [UInt8])
  {
    var input = bytes[...]
    #expect(throws: PacketError.self) { try Packet.take(from: &input) }
  }

  @Test func aLongMessageHasALongLength() throws {
    var writer = PacketWriter()
    let message = Message(topic: "t", payload: Array(repeating: 7, count: 300), delivery: .retained)
    writer.publish(message, identifier: 5)
    #expect(writer.bytes.prefix(9) == [0x33, 0xb2, 0x02, 0, 1, 0x74, 0, 5, 0])
    var input = writer.bytes[...]
    #expect(
      try Packet.take(from: &input)
        == .publish(IncomingMessage(topic: "t", payload: message.payload, isRetained: true), identifier: 5))
  }
}
