import Linux
import Logging
import Messages
import Synchronization
import Weighing

/// A connection to one of several brokers, maintained and re-established on its own thread.
///
/// All methods may be called on any thread. None of them waits for the network except `stop`, whose wait is limited.
/// Events are delivered on the link's thread, in order and without a lock held; the handler may publish and must return
/// quickly.
package final class MQTTLink: Sendable {
  private let settings: LinkSettings
  private let logger: Logger
  private let onEvent: @Sendable (LinkEvent) -> Void
  private let mailbox: Mailbox
  private let connection = SharedConnection()

  /// Makes a link; it does nothing until `start`.
  package init(settings: LinkSettings, logger: Logger, onEvent: @escaping @Sendable (LinkEvent) -> Void) {
    precondition(!settings.brokers.isEmpty, "a link needs at least one broker")
    (self.settings, self.logger, self.onEvent) = (settings, logger, onEvent)
    mailbox = Mailbox(SendQueues(assuredCapacity: settings.assuredCapacity, firstTopic: settings.will?.topic))
  }

  /// Starts the thread, which connects and reconnects until `stop`; call it once.
  package func start() { start(randomness: SystemRandomNumberGenerator()) }

  /// The same, with a custom random number generator for the delays between attempts.
  package func start(randomness: some RandomNumberGenerator & Sendable) {
    mailbox.worker.start { [settings, logger, onEvent, mailbox, connection] inbox in
      let loop = LinkLoop(settings, mailbox, wokenBy: inbox.descriptor, connection, logger) { event in
        if !mailbox.state.withLock({ $0.isSilent }) { onEvent(event) }
      }
      loop.run(randomness: randomness)
    }
  }

  /// Sends or queues a message according to its delivery; never blocks. If the queue is full, the oldest message is
  /// dropped.
  package func publish(_ message: Message) { publish([message]) }

  /// Publishes several messages; the link's thread is woken at most once.
  ///
  /// Live messages are sent on the calling thread if the connection is idle.
  package func publish(_ messages: [Message]) {
    let (sent, needsThread) = connection.send(messages, after: mailbox)
    if sent == messages.count, !needsThread { return }
    mailbox.update { state in
      let now = Instant.now()
      for message in messages[sent...] { state.queues.append(message, at: now) }
      return ((), wakes: state.queues.isOpen)
    }
  }

  /// Publishes a message with QoS 1 and reports its acknowledgement as an event with `token`; never blocks.
  ///
  /// Its `delivery` determines only whether it is retained; the link does not publish it again on later connections. A
  /// token that is unacknowledged when `disconnected` is reported is void: the message may or may not have arrived;
  /// publish it again after the next `connected`.
  package func publish(_ message: Message, token: UInt64) -> Admission {
    mailbox.update { state in
      let admission = state.queues.append(message, token: token, at: .now())
      return (admission, wakes: admission == .accepted)
    }
  }

  /// Subscribes to topic filters, now and on every connection, in addition to earlier ones (`SubscriptionQuality`).
  package func subscribe(_ filters: [String]) {
    mailbox.update { state in
      let fresh = filters.filter { !state.filters.contains($0) }
      state.filters += fresh
      if !fresh.isEmpty { state.filtersChanged = true }
      return ((), wakes: state.queues.isOpen && !fresh.isEmpty)
    }
  }

  /// Unsubscribes from a topic filter, now and for later connections.
  package func unsubscribe(_ filter: String) {
    mailbox.update { state in
      guard let index = state.filters.firstIndex(of: filter) else { return ((), wakes: false) }
      state.filters.remove(at: index)
      state.removedFilters.append(filter)
      state.filtersChanged = true
      return ((), wakes: state.queues.isOpen)
    }
  }

  /// Number of queued messages with `Message.Delivery.assured`.
  package var backlog: Int { mailbox.state.withLock { $0.queues.assuredCount } }

  /// Whether fewer than `limit` assured messages are queued, so that another one may be published; if not, it counts as
  /// dropped.
  package func hasRoom(below limit: Int) -> Bool { mailbox.state.withLock { $0.queues.hasRoom(below: limit) } }

  /// Number of messages dropped since the start because a queue was full.
  package var droppedCount: Int { mailbox.state.withLock { $0.queues.dropped } }

  /// Whether no QoS 1 message is queued or unacknowledged.
  package var isDrained: Bool { mailbox.state.withLock { $0.queues.isDrained } }

  /// Whether the thread has ended after `stop`.
  package var hasEnded: Bool { mailbox.worker.hasEnded }

  /// Sends all queued messages and then `messages`, disconnects and ends the thread; returns within `limit` in any
  /// case.
  ///
  /// With a responsive broker this takes a few milliseconds. With a hung broker, or during a DNS lookup, it takes the
  /// whole `limit`; the thread then ends later by itself. No event is reported after the return. Do not call it from
  /// the event handler: it would wait for its own thread.
  package func stop(final messages: [Message] = [], within limit: Interval = .seconds(1)) {
    let now = Instant.now()
    let request = Mailbox.StopRequest(messages: messages, requestedAt: now, deadline: now + limit)
    mailbox.state.withLock { $0.stopRequest = $0.stopRequest ?? request }
    mailbox.worker.stop(within: limit)
    mailbox.state.withLock { $0.isSilent = true }
  }
}
