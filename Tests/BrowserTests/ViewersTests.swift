import Foundation
import Glibc
import Testing

extension All {
  /// What it costs when many look on.
  struct ViewersTests {
    /// Processor time of the whole appliance for each reading that a viewer receives, in seconds: 3 % of a core for 20 viewers
    /// of 10 readings a second, and half of that for a processor that others use as well.
    private static let mostTime = 0.000_225

    @Test(.tags(.measuresTime)) func twentyViewersAreCheap() throws {
      let stage = try Stage("busy")
      var viewers = try (0..<20).map { _ in try Viewer(stage.port) }
      // The pad is simulated from the start on; the first readings come at once.
      collect(&viewers, for: .seconds(2))
      for index in viewers.indices { viewers[index].delays = [] }
      let before = try processorTime(of: stage.child.process)
      let begin = ContinuousClock.now
      collect(&viewers, for: .seconds(8))
      let seconds = Double((ContinuousClock.now - begin) / .milliseconds(1)) / 1000
      let time = try processorTime(of: stage.child.process) - before
      let delays = viewers.flatMap(\.delays).sorted()
      let late = try #require(delays.dropFirst(delays.count * 95 / 100).first)
      print("20 viewers: \(time / seconds * 100) % of a core, \(delays.count) readings, 95 % within \(late * 1000) ms")
      #expect(time / Double(delays.count) < Self.mostTime)
      // 20 ms on an idle machine. Of readings that pile up, the last ones would be late by as long as it takes.
      for viewer in viewers { #expect(viewer.delays.count > 20 && (viewer.delays.last ?? .infinity) < seconds / 4) }
    }

    private func collect(_ viewers: inout [Viewer], for duration: Duration) {
      let end = ContinuousClock.now + duration
      while ContinuousClock.now < end {
        var entries = viewers.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
        poll(&entries, nfds_t(entries.count), 100)
        for index in viewers.indices where entries[index].revents != 0 { viewers[index].read() }
      }
    }

    /// User and system time in seconds; proc_pid_stat(5).
    private func processorTime(of process: pid_t) throws -> Double {
      let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      let fields = try #require(text.split(separator: ")").last).split(separator: " ")
      let ticks = try #require(Double(fields[11])) + #require(Double(fields[12]))
      return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }
}

/// A client that follows the readings.
private struct Viewer {
  let socket: Int32
  /// From the time of a reading to its arrival, in seconds.
  var delays: [Double] = []
  private var rest = Data()

  init(_ port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let socket = socket
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    let request = Array("GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
    send(socket, request, request.count, Int32(MSG_NOSIGNAL))
  }

  mutating func read() {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return }
    let now = Date().timeIntervalSince1970
    rest += buffer[..<count]
    // The time comes first in a reading: 2026-11-21T06:30:00.123Z.
    while let mark = rest.range(of: Self.mark), rest.count >= mark.upperBound + 24 {
      let time = rest[(mark.upperBound + 11)..<(mark.upperBound + 23)]
      let digits = time.compactMap { Double(exactly: Int($0) - 48) }.filter { (0...9).contains($0) }
      let weights: [Double] = [36000, 3600, 600, 60, 10, 1, 0.1, 0.01, 0.001]
      let ofDay = zip(digits, weights).reduce(0) { $0 + $1.0 * $1.1 }
      delays.append((now - ofDay).truncatingRemainder(dividingBy: 86_400))
      rest = Data(rest[(mark.upperBound + 24)...])
    }
    if rest.count > 1 << 16 { rest = Data(rest.suffix(64)) }
  }

  private static let mark = Data("event: live\ndata: {\"time\":\"".utf8)
}
