import MQTTLink
import Messages
import Testing

@testable import Simulating

/// The packets of MQTT 5 and 3.1.1; that a broker accepts them is tested with a real one in FleetTests.
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
        while let packet = try Packet.take(from: &input, .v5) { packets.append(packet) }
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
    #expect(throws: PacketError.self) { try Packet.take(from: &input, .v5) }
  }

  @Test func aLongMessageHasALongLength() throws {
    var writer = PacketWriter(.v5)
    let message = Message(topic: "t", payload: Array(repeating: 7, count: 300), delivery: .retained)
    writer.publish(message, identifier: 5)
    #expect(writer.bytes.prefix(9) == [0x33, 0xb2, 0x02, 0, 1, 0x74, 0, 5, 0])
    var input = writer.bytes[...]
    #expect(
      try Packet.take(from: &input, .v5)
        == .publish(IncomingMessage(topic: "t", payload: message.payload, isRetained: true), identifier: 5))
  }

  @Test func packetsOf311HaveNoProperties() throws {
    var writer = PacketWriter(.v311)
    writer.connect(
      clientID: "c", keepAlive: 60, will: Message(topic: "w", payload: [9], delivery: .retained), credentials: nil)
    #expect(writer.bytes == [0x10, 19, 0, 4] + "MQTT".utf8 + [4, 0x2e, 0, 60, 0, 1, 0x63, 0, 1, 0x77, 0, 1, 9])
    writer.removeFirst(writer.bytes.count)
    writer.subscribe("t", identifier: 1)
    #expect(writer.bytes == [0x82, 6, 0, 1, 0, 1, 0x74, 0])
    writer.removeFirst(writer.bytes.count)
    let message = Message(topic: "t", payload: Array("{}".utf8), delivery: .retained)
    writer.publish(message, identifier: 5)
    #expect(writer.bytes == [0x33, 7, 0, 1, 0x74, 0, 5] + "{}".utf8)
    var input = writer.bytes + [0x20, 2, 0, 0, 0x40, 2, 0, 5, 0x90, 3, 0, 1, 1]
    var rest = input[...]
    var packets: [Packet] = []
    while let packet = try Packet.take(from: &rest, .v311) { packets.append(packet) }
    #expect(
      packets == [
        .publish(IncomingMessage(topic: "t", payload: message.payload, isRetained: true), identifier: 5),
        .connack(code: 0, receiveMaximum: Int(UInt16.max)), .puback(identifier: 5, code: 0), .suback(code: 1),
      ])
    input = [0x20, 2, 0, 1]
    rest = input[...]
    #expect(
      try Packet.take(from: &rest, .v5) == .connack(code: 1, receiveMaximum: Int(UInt16.max)),
      "a broker of 3.1.1 rejects a client of MQTT 5 in its own version")
  }
}
