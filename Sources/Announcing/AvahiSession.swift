import CAvahi
import Linux
import Logging
import Weighing

/// The announcements at avahi-daemon, kept on one thread.
///
/// ```
///            announcements        daemon runs            registered
///   idle ───────────────► waiting ──────────► registering ────────► announced
///    ▲                     ▲  ▲                    │                    │
///    └── none              │  └── a while ─ failed ◄── bus or daemon ───┘
///                          └──── name taken: the next alternative
/// ```
/// The callbacks of the library only store what they are told; `run` acts on it after they have returned.
final class AvahiSession {
  /// The state of the entries at the daemon.
  private enum Entries { case none, sent, conflicting, failed }

  private let poll: OpaquePointer
  private var client: OpaquePointer?
  private var group: OpaquePointer?
  private var wanted: [Announcement] = []
  /// The alternatives for names that another machine has, by the configured name.
  private var alternatives: [String: String] = [:]
  private var entries = Entries.none
  /// Whether the connection to the daemon has failed and must be made again.
  private var hasFailed = false
  private var retry: Instant?
  /// The time from the next failure to the attempt after it.
  private var pause = shortestPause
  private var log: StateLog

  /// Time after a first failure until the next attempt, doubled with each further one; chosen. A daemon that restarts is back within
  /// it. Shorter, a daemon that ends again and again costs more; longer, the scale is found later.
  private static let shortestPause = Interval.seconds(1)
  /// The longest such time; chosen. The bus tells when the daemon starts, so that only a machine without a bus, or with a daemon that
  /// hangs, is asked this often. Shorter, it wakes an appliance without a bus more often; longer, the scale is found later.
  private static let longestPause = Interval.seconds(60)

  /// - Parameter descriptor: Becomes readable with each request.
  init?(wokenBy descriptor: Int32, logger: Logger) {
    guard let poll = avahi_simple_poll_new() else { return nil }
    self.poll = poll
    log = StateLog(logger: logger)
    let functions = avahi_simple_poll_get(poll)
    _ = functions?.pointee.watch_new(functions, descriptor, AVAHI_WATCH_IN, { _, _, _, _ in }, nil)
  }

  deinit {
    disconnect()
    avahi_simple_poll_free(poll)
  }

  /// Keeps the announcements that arrive until the worker is stopped.
  func run(_ inbox: Worker<[Announcement]>.Inbox) {
    while true {
      let (requests, isStopping) = inbox.take()
      if isStopping { return }
      if let last = requests.last, last != wanted { replace(last) }
      update(at: .now())
      let isBroken = avahi_simple_poll_iterate(poll, retry?.millisecondsAway ?? -1) < 0
      // Lowers the signal; without a working poll it waits here.
      inbox.wait(until: isBroken ? .now() + Self.longestPause : .now())
    }
  }

  private func replace(_ announcements: [Announcement]) {
    wanted = announcements
    (entries, retry) = (.none, nil)
    if announcements.isEmpty { disconnect() }
  }

  private func update(at now: Instant) {
    if hasFailed || entries == .failed {
      disconnect()
      postpone()
    }
    guard !wanted.isEmpty else { return }
    if client == nil, retry.map({ $0 <= now }) ?? true { connect() }
    guard let client, !hasFailed else { return }
    if entries == .conflicting { chooseAlternatives() }
    if entries == .none, avahi_client_get_state(client) == AVAHI_CLIENT_S_RUNNING { register(at: client) }
  }

  private func postpone() {
    retry = .now() + pause
    pause = min(pause + pause, Self.longestPause)
  }

  private func connect() {
    (retry, hasFailed, entries) = (nil, false, .none)
    var code: CInt = 0
    client = avahi_client_new(
      avahi_simple_poll_get(poll), AVAHI_CLIENT_NO_FAIL,
      { client, state, context in context.map { AvahiSession.at($0).handle(state, of: client) } }, context, &code)
    guard client == nil else { return }
    log.report(.unavailable(Self.text(code)), at: .now())
    postpone()
  }

  private func disconnect() {
    (group, entries, hasFailed) = (nil, .none, false)
    // This frees the group and withdraws its entries.
    if let client { avahi_client_free(client) }
    client = nil
  }

  /// Called by the library when the daemon appears, changes its host name, or disappears.
  private func handle(_ state: AvahiClientState, of client: OpaquePointer?) {
    switch state {
    // The host name is another one after a collision of it: the entries are made again for that.
    case AVAHI_CLIENT_S_RUNNING, AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: entries = .none
    case AVAHI_CLIENT_CONNECTING: log.report(.unavailable("avahi-daemon is not running"), at: .now())
    default:
      hasFailed = true
      log.report(.unavailable(Self.text(client.map(avahi_client_errno) ?? 0)), at: .now())
    }
  }

  /// Called by the library when the daemon has registered the entries, or cannot.
  private func handle(_ state: AvahiEntryGroupState) {
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
      pause = Self.shortestPause
      log.report(.announced(wanted.map { (name(of: $0), $0.port) }.first ?? ("", 0)), at: .now())
    case AVAHI_ENTRY_GROUP_COLLISION: entries = .conflicting
    case AVAHI_ENTRY_GROUP_FAILURE: fail(client.map(avahi_client_errno) ?? 0)
    default: break
    }
  }

  private func register(at client: OpaquePointer) {
    if let group {
      avahi_entry_group_reset(group)
    } else {
      group = avahi_entry_group_new(
        client, { _, state, context in context.map { AvahiSession.at($0).handle(state) } }, context)
    }
    guard let group else { return fail(avahi_client_errno(client)) }
    entries = .sent
    for announcement in wanted {
      let code = add(announcement, to: group)
      // The same name of another program on this machine; the next turn has the alternative.
      if code == CInt(AVAHI_ERR_COLLISION) {
        chooseAlternatives()
        return avahi_simple_poll_wakeup(poll)
      }
      if code != 0 { return fail(code) }
    }
    let code = avahi_entry_group_commit(group)
    if code != 0 { fail(code) }
  }

  private func add(_ announcement: Announcement, to group: OpaquePointer) -> CInt {
    var texts: UnsafeMutablePointer<AvahiStringList>?
    defer { avahi_string_list_free(texts) }
    // Each is put before the others.
    for text in announcement.texts.reversed() { texts = avahi_string_list_add(texts, text) }
    return avahi_entry_group_add_service_strlst(
      group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0),
      name(of: announcement),
      announcement.type, nil, nil, announcement.port, texts)
  }

  /// The name that is announced: the configured one, or an alternative such as `Scale #2`.
  private func name(of announcement: Announcement) -> String { alternatives[announcement.name] ?? announcement.name }

  private func chooseAlternatives() {
    entries = .none
    for name in Set(wanted.map(\.name)) {
      guard let next = avahi_alternative_service_name(alternatives[name] ?? name) else { continue }
      alternatives[name] = String(cString: next)
      avahi_free(next)
    }
  }

  private func fail(_ code: CInt) {
    entries = .failed
    log.report(.unavailable(Self.text(code)), at: .now())
    avahi_simple_poll_wakeup(poll)
  }

  /// Valid while the client is: `disconnect` frees it before this object goes.
  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ context: UnsafeMutableRawPointer) -> AvahiSession {
    Unmanaged<AvahiSession>.fromOpaque(context).takeUnretainedValue()
  }

  private static func text(_ code: CInt) -> String {
    avahi_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

/// Logs whether the scale is announced, once for each change.
private struct StateLog {
  enum State {
    case announced((name: String, port: UInt16))
    case unavailable(_ reason: String)
  }

  private let logger: Logger
  private var last: Bool?
  private var announced = (name: "", port: UInt16(0))
  private var throttle = LogThrottle(burst: 20, period: .seconds(3600))

  init(logger: Logger) { self.logger = logger }

  mutating func report(_ state: State, at now: Instant) {
    switch state {
    case .announced(let service):
      guard last != true || announced != service, throttle.admit(at: now) != nil else { return }
      (last, announced) = (true, service)
      logger.info(
        "announced on the network", metadata: ["dns_sd.name": "\(service.name)", "dns_sd.port": "\(service.port)"])
    case .unavailable(let reason):
      guard last != false, throttle.admit(at: now) != nil else { return }
      last = false
      logger.info(
        "cannot announce the scale on the network; retrying. Install or start avahi-daemon if apps should find the scale",
        metadata: ["dns_sd.reason": "\(reason)"])
    }
  }
}
