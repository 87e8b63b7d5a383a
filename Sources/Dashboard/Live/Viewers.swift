import Dispatch
import FlyingSocks
import Messages
import Synchronization
import Weighing

/// The live views, and the task that wakes them.
final class Viewers: Sendable {
  private struct State: Sendable {
    var bells: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var addresses: [UInt64: ClientAddress] = [:]
    var last: UInt64 = 0
    /// Counts the beats.
    var beats: UInt64 = 0
  }

  /// Minimum time between two pieces sent to a viewer: 25 a second look smooth, and sending a pad's 125 frames a second
  /// would cost five times as much.
  private static let pace = DispatchTimeInterval.milliseconds(40)

  let board: Board
  private let limits: Limits
  private let state = Mutex(State())

  init(board: Board, limits: Limits) {
    self.board = board
    self.limits = limits
  }

  /// Number of live views.
  var count: Int { state.withLock { $0.bells.count } }

  /// Adds a viewer; `nil` at the limit, in total or for its address.
  ///
  /// - Parameter isReadOnly: Whether it may not act.
  func follow(from address: ClientAddress?, isReadOnly: Bool) -> LiveEvents? {
    let bell = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let identifier: UInt64? = state.withLock { state in
      guard state.bells.count < limits.viewers else { return nil }
      if let address, !address.isLoopback {
        let own = state.addresses.values.count { $0.network == address.network }
        guard own < limits.viewersPerAddress else { return nil }
      }
      state.last += 1
      state.bells[state.last] = bell.continuation
      state.addresses[state.last] = address
      return state.last
    }
    guard let identifier else { return nil }
    board.setHasViewers(true)
    let seat = Seat { [self] in leave(identifier) }
    return LiveEvents(viewers: self, bell: bell.stream, isReadOnly: isReadOnly, seat: seat)
  }

  private func leave(_ identifier: UInt64) {
    let isEmpty = state.withLock { state in
      state.addresses[identifier] = nil
      state.bells.removeValue(forKey: identifier)?.finish()
      return state.bells.isEmpty
    }
    if isEmpty { board.setHasViewers(false) }
  }

  /// Wakes all viewers when something is posted, at most once per interval.
  func run() async {
    for await _ in board.changes {
      wake()
      await Pause.last(Self.pace)
    }
  }

  /// Sends a beat to all viewers, which tells a page that the connection is alive.
  func beat() {
    state.withLock { $0.beats += 1 }
    wake()
  }

  fileprivate var beats: UInt64 { state.withLock { $0.beats } }

  private func wake() {
    for bell in state.withLock({ Array($0.bells.values) }) { bell.yield() }
  }
}

/// The registration of a viewer; released with its last reference.
final class Seat: Sendable {
  private let onLeave: @Sendable () -> Void

  init(onLeave: @escaping @Sendable () -> Void) { self.onLeave = onLeave }

  deinit { onLeave() }
}

/// The endless body of the response: server-sent events (WHATWG HTML, 9.2).
struct LiveEvents: AsyncBufferedSequence {
  typealias Element = UInt8

  let viewers: Viewers
  let bell: AsyncStream<Void>
  let isReadOnly: Bool
  let seat: Seat

  func makeAsyncIterator() -> Iterator {
    Iterator(viewers: viewers, bell: bell.makeAsyncIterator(), isReadOnly: isReadOnly, seat: seat)
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    let viewers: Viewers
    var bell: AsyncStream<Void>.AsyncIterator
    let isReadOnly: Bool
    let seat: Seat
    private var version: UInt64 = 0
    private var beat: UInt64?

    init(viewers: Viewers, bell: AsyncStream<Void>.AsyncIterator, isReadOnly: Bool, seat: Seat) {
      self.viewers = viewers
      self.bell = bell
      self.isReadOnly = isReadOnly
      self.seat = seat
    }

    mutating func next() async -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      while true {
        var bytes: [UInt8] = []
        // The first piece sets the reconnection time.
        if beat == nil { bytes += "retry: 1000\n\n".utf8 }
        bytes += viewers.board.events(after: &version, isReadOnly: isReadOnly)
        let beats = viewers.beats
        if beat != beats {
          beat = beats
          let age = viewers.board.readingAge.map { String($0.nanoseconds / 1_000_000) } ?? "null"
          bytes += "event: beat\ndata: {\"age_ms\":\(age)}\n\n".utf8
        }
        if !bytes.isEmpty { return bytes }
        guard await bell.next() != nil else { return nil }
      }
    }
  }
}
