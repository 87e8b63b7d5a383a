import Glibc
import Testing

@testable import Dashboard

/// Which connection a new one replaces.
struct ConnectionTableTests {
  private var limits: Limits {
    var limits = Limits()
    limits.connections = 6
    limits.connectionsPerAddress = 4
    return limits
  }

  /// Connected sockets, of which one end is given to the table.
  private final class Pairs {
    private var far: [Int32] = []

    func near() -> Int32 {
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
      far.append(ends[1])
      return ends[0]
    }

    /// Whether a connection was shut down: its other end reads an end of file.
    func isShut(_ index: Int) -> Bool {
      var byte: UInt8 = 0
      return recv(far[index], &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }

    deinit { for end in far { close(end) } }
  }

  @Test func anAddressHasAShare() throws {
    let (connections, pairs) = (ConnectionTable(limits: limits), Pairs())
    let one = try #require(ClientAddress("192.168.1.7"))
    let other = try #require(ClientAddress("192.168.1.8"))
    for _ in 0..<20 { #expect(connections.add(pairs.near(), from: one) != nil) }
    #expect(connections.closed.evicted == 16)
    #expect((0..<16).allSatisfy { pairs.isShut($0) } && !(16..<20).contains { pairs.isShut($0) })
    #expect(connections.add(pairs.near(), from: other) != nil)
    #expect(connections.closed.evicted == 16)
    connections.shutDownAll()
  }

  @Test func theLargestShareGivesWay() throws {
    let (connections, pairs) = (ConnectionTable(limits: limits), Pairs())
    let addresses = try ["10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.1", "10.0.0.3", "10.0.0.1", "10.0.0.4"]
      .map { try #require(ClientAddress($0)) }
    for address in addresses { #expect(connections.add(pairs.near(), from: address) != nil) }
    #expect((0..<7).map { pairs.isShut($0) } == [true, false, false, false, false, false, false])
    connections.shutDownAll()
  }

  @Test func whatIsServedStays() throws {
    let (connections, pairs) = (ConnectionTable(limits: limits), Pairs())
    let address = try #require(ClientAddress("127.0.0.1"))
    let all = try (0..<6).map { _ in try #require(connections.add(pairs.near(), from: address)) }
    for identifier in all { connections.set(identifier, .responding) }
    #expect(connections.add(pairs.near(), from: address) == nil)
    connections.set(all[3], .sending)
    #expect(connections.add(pairs.near(), from: address) != nil)
    #expect((0..<6).map { pairs.isShut($0) } == [false, false, false, true, false, false])
    // What is shut down stays so, whatever its task still says.
    connections.set(all[3], .receiving)
    #expect(connections.add(pairs.near(), from: address) != nil)
    #expect(connections.closed.evicted == 2)
    connections.shutDownAll()
  }

  @Test(arguments: [
    ("127.0.0.5", "127.0.0.5", true, 4), ("::1", "::1", true, 8), ("::ffff:10.1.2.3", "10.1.2.3", false, 4),
    ("2001:db8::1", "2001:db8::1", false, 8),
  ])
  func readsAddresses(_ text: String, _ shown: String, _ isLoopback: Bool, _ bytes: Int) throws {
    let address = try #require(ClientAddress(text))
    #expect(address.text == shown && address.isLoopback == isLoopback && address.network.count == bytes)
  }

  @Test func aNetworkOfIPv6IsOneClient() {
    #expect(ClientAddress("2001:db8::1")?.network == ClientAddress("2001:db8::ffff:1")?.network)
    #expect(ClientAddress("2001:db8::1")?.network != ClientAddress("2001:db8:0:1::1")?.network)
    #expect(ClientAddress("localhost") == nil)
  }
}
