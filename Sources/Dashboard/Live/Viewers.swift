import Dispatch
import FlyingSocks
import Messages
import Synchronization
import Weighing

/// Those who follow the scale, and what wakes them.
final class Viewers: Sendable {
  private struct State: Sendable {
    var bells: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var addresses: [UInt64: ClientAddress] = [:]
    var last: UInt64 = 0
    /// Counts the signs of life.
    var beats: UInt64 = 0
  }

  /// The least time between two pieces to one viewer: 25 a second look smooth, and a pad's 125 frames would cost five
  /// times as much.
  private static let pace = DispatchTimeInterval.milliseconds(40)

  let board: Board
  private let limits: Limits
  private let state = Mutex(State())

  init(board: Board, limits: Limits) {
    self.board = board
    self.limits = limits
  }

  /// How many there are.
  var count: Int { state.withLock { $0.bells.count } }

  /// Adds a viewer; `nil` where there are enough of them, in all or of its address.
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

  /// Wakes everybody whenever something is posted, no more often than the pace.
  func run() async {
    for await _ in board.changes {
      wake()
      await Pause.last(Self.pace)
    }
  }

  /// Gives everybody a sign of life, by which a page knows that what it shows is not old.
  func beat() {
    state.withLock { $0.beats += 1 }
    wake()
  }

  fileprivate var beats: UInt64 { state.withLock { $0.beats } }

  private func wake() {
    for bell in state.withLock({ Array($0.bells.values) }) { bell.yield() }
  }
}

/// A viewer's place, which is free again when nobody holds it any more.
final class Seat: Sendable {
  private let onLeave: @Sendable () -> Void

  init(onLeave: @escaping @Sendable () -> Void) { self.onLeave = onLeave }

  deinit { onLeave() }
}

/// The body of the answer that never ends: what is new, as server-sent events (WHATWG HTML, 9.2).
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
        // The first piece says after how long to come again.
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
