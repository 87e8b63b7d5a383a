import Journal
import Languages
import Linux
import Logging
import Servers
import Synchronization
import Weighing

/// Passes requests to act on to the scale, stores the clients that are granted the right, and recognises them.
///
/// ```
///   ask ──► ScaleMachine ── .event ──► handle ──► granted: file ──► answer with the token
///   decide, withdraw ──┘                      └─► refused: answer
/// ```
/// The file is written before the answer, on a thread of its own. A damaged file is kept and grants nothing.
final class PairingService: PairingSource {
  /// The period of the limits.
  static let period = Interval.seconds(3600)
  /// The requests of an address that are shown in a period. Chosen: enough for mistakes, too few to wear a user down.
  static let limit = 5
  /// The requests of all addresses that are shown in a period. Chosen: a client with many addresses can claim presses for at most a third
  /// of the time; a lower limit would let fewer phones pair in an hour.
  static let totalLimit = 20

  private struct Asked: Sendable {
    let client: PairingClient
    let request: PairingRequest
    /// `nil` for an app, which was answered at once.
    let completion: Completion<PairingAnswer>?
  }

  private struct State: Sendable {
    /// `nil` if the file is damaged.
    var clients: PairedClients? = PairedClients()
    /// The request whose end is not known. The scale shows one at a time.
    var asked: Asked?
    /// When requests were shown in the last period, by which networks; the oldest first.
    var shown: [(network: [UInt8], time: Instant)] = []
    /// An identifier of the last run must not be one of this run.
    var last = UInt64.random(in: 0...UInt64.max / 2)
  }

  private let state: Mutex<State>
  private let path: String?
  private let logger: Logger
  private let worker = Worker<@Sendable () -> Void>("pairing")
  private let send: @Sendable (PairingInput) -> Void
  private let post: @Sendable (PairingRequest?) -> Void
  private let (clock, day): (@Sendable () -> Instant, @Sendable () -> Int)

  /// Reads the file and starts the thread.
  ///
  /// - Parameters:
  ///   - path: The file; `nil` to keep the clients in memory.
  ///   - clock: The monotonic clock.
  ///   - day: The time of day in seconds since 1970.
  ///   - send: Passes an input to the scale.
  ///   - post: Shows the pending request to the viewers.
  init(
    path: String?, logger: Logger, clock: @escaping @Sendable () -> Instant = Instant.now,
    day: @escaping @Sendable () -> Int = { Int(Instant.wallClock().nanoseconds / 1_000_000_000) },
    send: @escaping @Sendable (PairingInput) -> Void, post: @escaping @Sendable (PairingRequest?) -> Void
  ) {
    (self.path, self.logger, self.clock, self.day, self.send, self.post) = (path, logger, clock, day, send, post)
    var state = State()
    do throws(FileError) {
      if let path { state.clients = PairedClients(try fileBytes(path, limit: PairedClients.maximumBytes)) }
    } catch {
      if error != .missing { state.clients = nil }
    }
    if state.clients == nil, let path {
      logger.error(
        "file of the paired clients is damaged or unreadable; no client is paired until it is deleted",
        metadata: ["pairing.path": "\(path)"])
    }
    if state.clients?.unknown.isEmpty == false, let path {
      logger.warning(
        "file of the paired clients has some of a newer version; they are kept and may not act",
        metadata: ["pairing.path": "\(path)"])
    }
    self.state = Mutex(state)
    worker.startPerforming()
    post(nil)
  }

  deinit { worker.stop() }

  /// Ends the thread after the file is written, at most after a second.
  func stop() { worker.stop(within: .seconds(1)) }

  // MARK: Recognising clients

  /// Whether a token is that of a paired client.
  func isPaired(token: String) -> Bool {
    let digest = Digest(of: Array(token.utf8)).text
    return state.withLock { $0.clients?.accepts(digest: digest) ?? false }
  }

  func isPairedApp(at address: String) -> Bool {
    let now = day()
    return state.withLock { $0.clients?.acceptsApp(at: address, now: now) ?? false }
  }

  // MARK: Requests

  func ask(_ client: PairingClient, _ completion: @escaping Completion<PairingAnswer>) -> UInt64 {
    let (now, today) = (clock(), day())
    let (request, answer): (PairingRequest?, PairingAnswer?) = state.withLock { state in
      guard let clients = state.clients else { return (nil, .failed(damaged)) }
      if clients.isFull(at: today) {
        let text = Sentence(.clientsFull, ["maximum": PairedClients.maximum])
        return (nil, .failed(.failed(.init("clients_full", text))))
      }
      if let asked = state.asked {
        // An app repeats its command until it may act.
        let isSame = client.kind == .app && asked.client.kind == .app && asked.client.address == client.address
        return (nil, isSame ? .requested : .busy)
      }
      state.shown.removeAll { now - $0.time >= Self.period }
      let own = state.shown.count { $0.network == client.network }
      guard own < Self.limit, state.shown.count < Self.totalLimit else { return (nil, .tooMany) }
      state.shown.append((client.network, now))
      state.last += 1
      let request = PairingRequest(id: state.last, name: client.name, address: client.address)
      let isApp = client.kind == .app
      state.asked = Asked(client: client, request: request, completion: isApp ? nil : completion)
      return (request, isApp ? .requested : nil)
    }
    if let request { send(.ask(request)) }
    if let answer { completion(answer) }
    return request?.id ?? 0
  }

  func withdraw(_ request: UInt64?) { send(.end(request, .refused(.withdrawn))) }

  func decide(_ request: UInt64, isAllowed: Bool) -> Bool {
    guard state.withLock({ $0.asked?.request.id == request }) else { return false }
    send(.end(request, isAllowed ? .granted : .refused(.refused)))
    return true
  }

  /// Handles the progress of a request, on the thread of the scale; never waits.
  func handle(_ request: PairingRequest, _ progress: PairingProgress) {
    if progress == .requested { return post(request) }
    let asked: Asked? = state.withLock { $0.asked?.request == request ? $0.asked.take() : nil }
    guard let asked else { return }
    post(nil)
    switch progress {
    case .granted: worker.send { [self] in grant(asked) }
    case .refused(let refusal): asked.completion?(.refused(refusal))
    case .requested: break
    }
  }

  // MARK: Clients

  func clients(_ completion: @escaping Completion<Result<[UInt8], RouteError>>) {
    // After what is being stored.
    worker.send { [self] in
      let list = state.withLock { state in state.clients.map { $0.list(pending: state.asked?.request) } }
      completion(list.map { .success($0) } ?? .failure(damaged))
    }
  }

  func revoke(_ client: String, _ completion: @escaping Completion<Result<[UInt8], RouteError>>) {
    worker.send { [self] in
      let unknown = RouteError.refused(.init("unknown_client", Sentence(.clientsUnknown, ["id": printable(client)])))
      // At once, even if the disk is full.
      let clients: PairedClients? = state.withLock { $0.clients?.remove(client) == true ? $0.clients : nil }
      do throws(RouteError) {
        guard let clients else { throw state.withLock { $0.clients == nil } ? damaged : unknown }
        try store(clients)
        logger.notice("client revoked", metadata: ["pairing.client": "\(client)"])
        self.clients(completion)
      } catch {
        completion(.failure(error))
      }
    }
  }

  private func grant(_ asked: Asked) {
    let secret = (0..<32).map { _ in UInt8.random(in: 0...255) }
    let token = Digest(of: secret).text
    let client = PairedClients.Client(
      id: String(UInt32.random(in: 1 << 28...UInt32.max), radix: 16), kind: asked.client.kind, name: asked.client.name,
      address: asked.client.address, created: day(),
      digest: asked.client.kind == .page ? Digest(of: Array(token.utf8)).text : nil)
    do throws(RouteError) {
      guard var clients = state.withLock({ $0.clients }) else { throw damaged }
      clients.add(client)
      try store(clients)
      state.withLock { [clients] in $0.clients = clients }
      logger.notice(
        "client paired", metadata: ["pairing.client": "\(client.id)", "pairing.address": "\(client.address)"])
      asked.completion?(.granted(Array(#"{"ok":true,"id":"\#(client.id)","token":"\#(token)"}"#.utf8)))
    } catch {
      logger.error("client not paired: it cannot be stored", metadata: ["pairing.address": "\(client.address)"])
      asked.completion?(.failed(error))
    }
  }

  /// Writes the file, on the thread of the service only.
  private func store(_ clients: PairedClients) throws(RouteError) {
    guard let path else { return }
    do throws(FileError) {
      try FileSystem.replaceFile(path, with: clients.bytes, permissions: 0o600)
    } catch {
      throw .failed(.init("not_saved", Sentence(.clientsNotSaved, ["reason": systemText(error.errno.rawValue)])))
    }
  }

  private var damaged: RouteError { .failed(.init("clients_damaged", Sentence(.clientsDamaged))) }
}
