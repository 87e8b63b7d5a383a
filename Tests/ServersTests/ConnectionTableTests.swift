import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Servers

/// Which connection a new one replaces.
struct ConnectionTableTests {
  private var limits: Limits {
    var limits = Limits()
    limits.connections = 6
    limits.connectionsPerAddress = 4
    return limits
  }

  private let loop = EmbeddedEventLoop()

  /// Connected channels.
  private func channels(_ count: Int) throws -> [EmbeddedChannel] {
    try (0..<count).map { _ in
      let channel = EmbeddedChannel(loop: loop)
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      return channel
    }
  }

  @Test func anAddressHasAShare() throws {
    let (connections, channels) = (ConnectionTable(limits: limits), try channels(21))
    let one = try #require(ClientAddress("192.168.1.7"))
    let other = try #require(ClientAddress("192.168.1.8"))
    for channel in channels.prefix(20) { #expect(connections.add(channel, from: one) != nil) }
    #expect(connections.closed.evicted == 16)
    #expect(
      channels.prefix(20).map(\.isActive) == Array(repeating: false, count: 16) + Array(repeating: true, count: 4))
    #expect(connections.add(channels[20], from: other) != nil)
    #expect(connections.closed.evicted == 16)
  }

  @Test func theLargestShareGivesWay() throws {
    let (connections, channels) = (ConnectionTable(limits: limits), try channels(7))
    let addresses = try ["10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.1", "10.0.0.3", "10.0.0.1", "10.0.0.4"]
      .map { try #require(ClientAddress($0)) }
    for (channel, address) in zip(channels, addresses) { #expect(connections.add(channel, from: address) != nil) }
    #expect(channels.map(\.isActive) == [false, true, true, true, true, true, true])
  }

  @Test func whatIsServedStays() throws {
    let (connections, channels) = (ConnectionTable(limits: limits), try channels(9))
    let address = try #require(ClientAddress("127.0.0.1"))
    let all = try channels.prefix(6).map { try #require(connections.add($0, from: address)) }
    for identifier in all { connections.set(identifier, .responding) }
    #expect(connections.add(channels[6], from: address) == nil)
    connections.set(all[3], .sending)
    #expect(connections.add(channels[7], from: address) != nil)
    #expect(channels.prefix(6).map(\.isActive) == [true, true, true, false, true, true])
    // What was closed stays so, whatever its handler still says.
    connections.set(all[3], .receiving)
    #expect(connections.add(channels[8], from: address) != nil)
    #expect(connections.closed.evicted == 2 && connections.count == 6)
  }

  /// Each activity has its own time; the table looks every second, and only while there are connections.
  @Test func closesWhatIsTooSlow() throws {
    final class Ticks: Sendable {
      let count = Mutex(0)
    }
    let ticks = Ticks()
    let connections = ConnectionTable(limits: limits) { ticks.count.withLock { $0 += 1 } }
    let channels = try channels(3)
    let address = try #require(ClientAddress("127.0.0.1"))
    let all = try channels.map { try #require(connections.add($0, from: address)) }
    connections.set(all[1], .sending)
    connections.set(all[2], .responding)
    loop.advanceTime(by: .seconds(5))
    #expect(channels.map(\.isActive) == [true, true, true])
    loop.advanceTime(by: .seconds(1))
    #expect(channels.map(\.isActive) == [false, true, true])
    loop.advanceTime(by: .seconds(3600))
    #expect(channels.map(\.isActive) == [false, false, true] && connections.closed.expired == 2)
    connections.remove(all[2])
    loop.advanceTime(by: .seconds(1))
    let before = ticks.count.withLock { $0 }
    #expect(before >= 3605)
    loop.advanceTime(by: .seconds(3600))
    #expect(ticks.count.withLock { $0 } == before)
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
