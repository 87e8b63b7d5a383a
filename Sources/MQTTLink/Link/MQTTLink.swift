import EventLoop
import Logging
import Messages
import Synchronization
import Weighing

/// The connection to one broker out of a list: made, kept and made again on a thread of its own.
///
/// All methods may be called on any thread and none of them waits for the network, but for `stop`, whose wait is bounded.
/// Events are told on the link's own thread, in order, with no lock held; the handler may publish, and must be quick.
package final class MQTTLink: Sendable {
  private let settings: LinkSettings
  private let logger: Logger
  private let onEvent: @Sendable (LinkEvent) -> Void
  private let mailbox: Mailbox

  /// Makes a link that does nothing until `start`.
  package init(settings: LinkSettings, logger: Logger, onEvent: @escaping @Sendable (LinkEvent) -> Void) {
    precondition(!settings.brokers.isEmpty, "a link needs at least one broker")
    self.settings = settings
    self.logger = logger
    self.onEvent = onEvent
    mailbox = Mailbox(Lanes(assuredCapacity: settings.assuredCapacity, firstTopic: settings.will?.topic))
  }

  /// Starts the thread, which connects and goes on doing so until `stop`; to be called once.
  package func start() {
    start(randomness: SystemRandomNumberGenerator())
  }

  /// The same, with a generator of one's own for the waits between attempts.
  package func start(randomness: some RandomNumberGenerator & Sendable) {
    OwnThread.start(name: "mqtt") { [settings, logger, onEvent, mailbox] in
      let loop = LinkLoop(settings, mailbox, logger) { event in
        if !mailbox.state.withLock({ $0.isSilent }) { onEvent(event) }
      }
      loop.run(randomness: randomness)
      mailbox.finished.raise()
    }
  }

  /// Publishes a message by its delivery; never blocks, and never fails but by giving way where a lane is full.
  package func publish(_ message: Message) { publish([message]) }

  /// Publishes messages that belong together: the link's thread is woken once for all of them.
  package func publish(_ messages: [Message]) {
    mailbox.leave { state in
      let now = Instant.now()
      for message in messages { state.lanes.accept(message, at: now) }
      return ((), wakes: state.lanes.isOpen)
    }
  }

  /// Publishes a message with QoS 1 whose acknowledgement comes back as an event with `token`; never blocks.
  ///
  /// Its `delivery` says whether it is retained; the link does not remember it for later connections. A token whose acknowledgement has not come when `disconnected` is told
  /// is void: the message may or may not have arrived, and is to be published again after the next `connected`.
  package func publish(_ message: Message, token: UInt64) -> Admission {
    mailbox.leave { state in
      let admission = state.lanes.accept(message, token: token, at: .now())
      return (admission, wakes: admission == .accepted)
    }
  }

  /// Subscribes to these topic filters with QoS 1, now and at each connection; they add to those given before.
  package func subscribe(_ filters: [String]) {
    mailbox.leave { state in
      let fresh = filters.filter { !state.filters.contains($0) }
      state.filters += fresh
      if !fresh.isEmpty { state.filtersChanged = true }
      return ((), wakes: state.lanes.isOpen && !fresh.isEmpty)
    }
  }

  /// Ends the subscription to a topic filter, now and for the connections to come.
  package func unsubscribe(_ filter: String) {
    mailbox.leave { state in
      guard let index = state.filters.firstIndex(of: filter) else { return ((), wakes: false) }
      state.filters.remove(at: index)
      state.unwanted.append(filter)
      state.filtersChanged = true
      return ((), wakes: state.lanes.isOpen)
    }
  }

  /// How many messages of `Message.Delivery.assured` wait to be sent.
  package var backlog: Int { mailbox.state.withLock { $0.lanes.waiting } }

  /// Whether fewer than `limit` assured messages wait, so that another one may be published; if not, that one counts as
  /// dropped.
  package func hasRoom(below limit: Int) -> Bool {
    mailbox.state.withLock { $0.lanes.hasRoom(below: limit) }
  }

  /// How many messages had to be dropped since the start because a lane was full.
  package var droppedCount: Int { mailbox.state.withLock { $0.lanes.dropped } }

  /// Whether nothing of QoS 1 waits, neither to be sent nor to be acknowledged.
  package var isDrained: Bool { mailbox.state.withLock { $0.lanes.isDrained } }

  /// Whether the thread has ended after `stop`.
  package var hasEnded: Bool { mailbox.finished.wait(milliseconds: 0) }

  /// Sends what still waits and then `messages`, says goodbye and ends the thread; returns within `limit` in any case.
  ///
  /// With a broker that answers this takes some milliseconds. With one that hangs, or while the name server is being
  /// asked, it takes the whole `limit`; the thread then ends by itself when the system lets it. No event is told
  /// after the return. Not to be called by the event handler: it would wait for its own thread.
  package func stop(final messages: [Message] = [], within limit: Duration = .seconds(1)) {
    let now = Instant.now()
    let parts = limit.components
    let interval = Interval(nanoseconds: parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    let deadline = now + interval
    mailbox.leave { state in
      if state.farewell == nil {
        state.farewell = Mailbox.Farewell(messages: messages, begunAt: now, deadline: deadline)
      }
      return ((), wakes: true)
    }
    _ = mailbox.finished.wait(milliseconds: deadline.millisecondsAway)
    mailbox.state.withLock { $0.isSilent = true }
  }
}
