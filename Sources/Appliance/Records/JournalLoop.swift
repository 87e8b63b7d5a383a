import Journal
import Linux
import Logging
import MQTTLink
import Messages
import Weighing

/// The thread that owns the journal: it records confirmed weighings and delivers each of them to a broker; see
/// `JournalMachine` for its work.
///
/// ```
///   weighing loop ──draft──►┐                       ┌─ on disk ──► weighing loop (`recorded`), and only then the world
///   link: acknowledged ────►│ journal (this thread) │
///   link: connected ───────►┘                       └─ outbox ──► link, a window at a time
/// ```
///
/// A slow or hung disk delays only records. The queue of this thread is bounded: the core allows 64 pending drafts, there are
/// at most as many acknowledgements as messages in flight, few of each connection, and `capacity` limits the audit trail.
final class JournalLoop: Sendable {
  /// The number of waiting requests from which on entries for the audit trail are lost.
  static let capacity = 1024

  private let journal: Journal
  private let location: JournalLocation
  private let topics: Topics
  private let logger: Logger
  private let publish: @Sendable (Message, UInt64) -> Admission
  private let onOutput: @Sendable (JournalOutput) -> Void
  private let worker = Worker<JournalRequest>("journal", capacity: capacity)
  private let restored = Signal()

  /// Makes a loop; it does nothing until `start`.
  ///
  /// - Parameters:
  ///   - send: Publishes with QoS 1 under a token; must not wait.
  ///   - onOutput: Must not wait.
  init(
    _ location: JournalLocation, topics: Topics, logger: Logger,
    send: @escaping @Sendable (Message, UInt64) -> Admission, onOutput: @escaping @Sendable (JournalOutput) -> Void
  ) {
    (self.location, self.topics, self.logger) = (location, topics, logger)
    publish = send
    self.onOutput = onOutput
    journal = Journal(location, logger: logger)
  }

  /// Starts the thread; call it once.
  func start(_ context: RecordContext) {
    setContext(context)
    worker.start { [journal, location, topics, logger, publish, onOutput, restored] inbox in
      var machine = JournalMachine(
        journal, location, topics: topics, logger: logger, send: publish, onOutput: onOutput)
      machine.open()
      restored.raise()
      while true {
        let (requests, isStopping) = inbox.take()
        let (next, pause) = machine.step(requests, at: .current())
        if isStopping { return machine.finish(at: .current()) }
        inbox.wait(until: max(next, .now() + pause))
      }
    }
  }

  /// Queues a draft, whose outcome is reported once, or an entry for the audit trail.
  func handle(_ effect: Effect) { JournalRequest(effect, at: .wallClock()).map(append) }

  /// Publishes the report of an incident until a broker has accepted it.
  func announce(_ message: Message) { append(.announce(message)) }

  /// Publishes records again; the outcome is reported unless the connection ends before.
  func resend(_ request: ResendRequest) { append(.resend(request)) }

  /// The journal for reading on a thread that may wait for the disk.
  ///
  /// A separate connection does not block the thread that records. Without a write-ahead log a reader would copy the
  /// whole file for each page; the journal's own connection creates the log.
  var reader: Journal {
    guard case .file(let path) = location, FileSystem.exists(path + "-wal") else { return journal }
    return Journal.reader(path: path, logger: logger)
  }

  /// Sets the configuration for new records.
  func setContext(_ context: RecordContext) { append(.begin(context, at: .wallClock())) }

  /// Handles an event of the link.
  func handle(_ event: LinkEvent) { JournalRequest(event, health: topics(.health)).map(append) }

  /// The link was replaced: messages passed to the old one will not be acknowledged.
  func handleLinkReplacement() { append(.disconnected(.stopped)) }

  /// Ends the thread once everything queued is on disk or rejected.
  ///
  /// Waits at most `limit` for a hung disk.
  func stop(within limit: Interval) { worker.stop(within: limit) }

  /// Waits until the state of the scale has been read, but at most `limit` for a hung disk.
  func waitForMemory(within limit: Interval) -> Bool { restored.wait(within: limit) }

  private func append(_ request: JournalRequest) {
    switch request {
    case .audit:
      guard !worker.send(request) else { return }
      logger.error("too much waits for the disk; not stored", metadata: ["journal.request": "\(request)"])
    case .acknowledged, .announce, .begin, .changeContainer, .changeStop, .connected, .disconnected, .record, .remember,
      .resend,
      .retainedSequence, .subscribed:
      // Only the newest state matters.
      worker.send(request) { last in if case .remember = request, case .remember = last { true } else { false } }
    }
  }
}
