import Linux
import Synchronization
import Weighing

/// The newest payload of every feed.
///
/// Posting never waits: it holds a lock only while it copies the payload, and wakes viewers at most once. A slow viewer
/// gets only the newest payload of each feed, so that missed payloads cost neither memory nor time.
package final class FeedCache: Sendable {
  private struct Entry: Sendable {
    var version: UInt64 = 0
    var payload: [UInt8] = []
    /// What viewers that may not act receive instead.
    var readOnlyPayload: [UInt8]?
  }

  private struct State: Sendable {
    var entries = [Entry](repeating: Entry(), count: Feed.allCases.count)
    var version: UInt64 = 0
    /// When the newest reading was posted.
    var lastReading: Instant?
    var viewers = 0
    /// Called when something is posted.
    var onChange: (@Sendable () -> Void)?
    /// Whether something was posted since the viewers were last woken.
    var hasChanged = false
  }

  private let state = Mutex(State())

  /// Makes a cache without payloads.
  package init() {}

  /// Posts the newest payload of a feed: JSON on one line.
  ///
  /// - Parameter readOnlyPayload: What viewers that may not act receive instead.
  package func post(_ feed: Feed, _ payload: [UInt8], readOnlyPayload: [UInt8]? = nil) {
    let onChange: (@Sendable () -> Void)? = state.withLock { state in
      state.version += 1
      state.entries[feed.index] = Entry(
        version: state.version, payload: payload, readOnlyPayload: readOnlyPayload)
      if feed == .live { state.lastReading = .now() }
      guard state.viewers > 0, !state.hasChanged else { return nil }
      state.hasChanged = true
      return state.onChange
    }
    onChange?()
  }

  /// The newest payload of a feed; `nil` if there is none yet.
  package func newest(_ feed: Feed) -> [UInt8]? {
    state.withLock { state in
      let entry = state.entries[feed.index]
      return entry.version > 0 ? entry.payload : nil
    }
  }

  /// Time since the last reading was posted; `nil` if there is none yet.
  package var readingAge: Interval? { state.withLock { $0.lastReading.map { .now() - $0 } } }

  /// Everything posted after `version`, each feed once and in posting order, as server-sent events; sets `version` to
  /// that of the newest.
  func events(after version: inout UInt64, isReadOnly: Bool) -> [UInt8] {
    var fresh: [(feed: Feed, entry: Entry)] = []
    version = state.withLock { state in
      for feed in Feed.allCases where state.entries[feed.index].version > version {
        fresh.append((feed, state.entries[feed.index]))
      }
      return state.version
    }
    fresh.sort { $0.entry.version < $1.entry.version }
    var bytes: [UInt8] = []
    for (feed, entry) in fresh {
      bytes += "event: \(feed.rawValue)\ndata: ".utf8
      bytes += isReadOnly ? entry.readOnlyPayload ?? entry.payload : entry.payload
      bytes += "\n\n".utf8
    }
    return bytes
  }

  /// Adds a viewer. Posting wakes the viewers while there are any.
  func addViewer() { state.withLock { $0.viewers += 1 } }

  /// Removes a viewer.
  func removeViewer() { state.withLock { $0.viewers -= 1 } }

  /// Calls a function when something is posted while there are viewers, and then again only after `beginWaking`.
  func onChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = body } }

  /// The viewers are about to be woken.
  func beginWaking() { state.withLock { $0.hasChanged = false } }
}

extension Feed {
  /// Its index in the cache.
  fileprivate var index: Int {
    switch self {
    case .hello: 0
    case .health: 1
    case .actions: 2
    case .live: 3
    case .stable: 4
    case .gesture: 5
    case .weighing: 6
    case .event: 7
    case .containers: 8
    case .pad: 9
    case .machine: 13
    case .control: 10
    case .pairing: 11
    case .learned: 12
    }
  }
}
