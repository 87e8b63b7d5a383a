import FlyingSocks
import Messages
import Weighing

/// The endless body of the response: server-sent events (WHATWG HTML, 9.2).
struct ServerSentEvents: AsyncBufferedSequence {
  typealias Element = UInt8

  let viewers: Viewers
  let wakeUps: AsyncStream<Void>
  let isReadOnly: Bool
  let registration: ViewerRegistration

  func makeAsyncIterator() -> Iterator {
    Iterator(viewers: viewers, wakeUps: wakeUps.makeAsyncIterator(), isReadOnly: isReadOnly, registration: registration)
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    let viewers: Viewers
    var wakeUps: AsyncStream<Void>.AsyncIterator
    let isReadOnly: Bool
    let registration: ViewerRegistration
    private var version: UInt64 = 0
    private var heartbeat: UInt64?

    init(viewers: Viewers, wakeUps: AsyncStream<Void>.AsyncIterator, isReadOnly: Bool, registration: ViewerRegistration)
    {
      self.viewers = viewers
      self.wakeUps = wakeUps
      self.isReadOnly = isReadOnly
      self.registration = registration
    }

    mutating func next() async -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      while true {
        var bytes: [UInt8] = []
        // The first piece sets the reconnection time.
        if heartbeat == nil { bytes += "retry: 1000\n\n".utf8 }
        bytes += viewers.feeds.events(after: &version, isReadOnly: isReadOnly)
        let heartbeats = viewers.heartbeats
        if heartbeat != heartbeats {
          heartbeat = heartbeats
          let age = viewers.feeds.readingAge.map { String($0.nanoseconds / 1_000_000) } ?? "null"
          bytes += "event: beat\ndata: {\"age_ms\":\(age)}\n\n".utf8
        }
        if !bytes.isEmpty { return bytes }
        guard await wakeUps.next() != nil else { return nil }
      }
    }
  }
}
