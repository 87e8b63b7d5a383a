import Configuration
import Linux
import Logging
import Servers
import Synchronization
import Weighing

/// Passes requests of the page to the scripts of the image, which run as root, and shows the state of the machine.
///
/// ```
///   page ──► MachineSource ──► MachineLoop ──► machine.request ──► root
///                                   ▲                               │
///                                   └────── state.json ◄────────────┘
/// ```
final class MachineService: Sendable {
  fileprivate enum Request: Sendable {
    case state(mayAct: Bool, Completion<MachineAnswer>)
    case perform([UInt8], mayAct: Bool, Completion<MachineAnswer>)
    case backup(mayAct: Bool, Completion<MachineAnswer>)
    case read(OpenBackup, Completion<[UInt8]?>)
    case upload([UInt8], at: Int, mayAct: Bool, Completion<MachineAnswer>)
  }

  /// Maximum wait for an answer, three halves of the time that root takes at most.
  static let patience = Interval.seconds(15)

  /// Files and answers may block.
  private let worker = Worker<Request>("machine")
  private let flag = Flag()

  /// Shared with the thread.
  private final class Flag: Sendable {
    let isSetUp = Atomic(true)
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - patience: Maximum wait for an answer.
  ///   - pads: Lists the devices that can be chosen as the pad, as JSON; called on the thread.
  ///   - onChange: Called on the thread with whether the machine is set up, first and after each change.
  init(
    _ files: MachineFiles, patience: Interval = MachineService.patience, logger: Logger,
    pads: @escaping @Sendable () -> [UInt8] = PadList.json, onChange: @escaping @Sendable (Bool) -> Void
  ) {
    worker.start { [flag, worker] inbox in
      let tell = { @Sendable (isSetUp: Bool) in
        flag.isSetUp.store(isSetUp, ordering: .relaxed)
        onChange(isSetUp)
      }
      var loop = MachineLoop(files, patience: patience, logger: logger, pads: pads, onChange: tell) {
        backup, completion in
        worker.send(.read(backup, completion))
      }
      loop.run(inbox)
    }
  }

  deinit { worker.stop() }

  /// What the page can ask for.
  var source: MachineSource {
    MachineSource(
      isSetUp: { [flag] in flag.isSetUp.load(ordering: .relaxed) },
      state: { [worker] in worker.send(.state(mayAct: $0, $1)) },
      perform: { [worker] in worker.send(.perform($0, mayAct: $1, $2)) },
      backup: { [worker] in worker.send(.backup(mayAct: $0, $1)) },
      upload: { [worker] in worker.send(.upload($0, at: $1, mayAct: $2, $3)) })
  }

  /// Ends the thread, at most after a second.
  func stop() { worker.stop(within: .seconds(1)) }
}

/// The thread of the service. One request is pending at a time:
///
/// ```
///   none ── perform ──► pending ── answer with its id ──► none
///                          └───── patience is over ─────► none
/// ```
private struct MachineLoop: ~Copyable {
  private struct Pending {
    let id: String
    let deadline: Instant
    let mayAct: Bool
    let completion: Completion<MachineAnswer>
  }

  private let files: MachineFiles
  private let patience: Interval
  private let logger: Logger
  private let pads: @Sendable () -> [UInt8]
  private let onChange: @Sendable (Bool) -> Void
  private let poller = Poller()
  /// `nil` while the folder of root cannot be watched.
  private var watch: ConfigurationWatch?
  private var pending: Pending?
  /// The last identifier. It continues from any number, because the state may hold an answer to an earlier run.
  private var last = UInt32.random(in: 0...UInt32.max)
  private var isSetUp: Bool?
  private var upload: BackupUpload
  private let read: @Sendable (OpenBackup, @escaping Completion<[UInt8]?>) -> Void

  init(
    _ files: MachineFiles, patience: Interval, logger: Logger, pads: @escaping @Sendable () -> [UInt8],
    onChange: @escaping @Sendable (Bool) -> Void,
    read: @escaping @Sendable (OpenBackup, @escaping Completion<[UInt8]?>) -> Void
  ) {
    (self.files, self.patience, self.logger, self.pads, self.onChange) = (files, patience, logger, pads, onChange)
    (upload, self.read) = (BackupUpload(path: files.upload), read)
  }

  mutating func run(_ inbox: Worker<MachineService.Request>.Inbox) {
    poller.watch(inbox.descriptor, for: [.readable, .once])
    // The client of a request of an earlier run is gone.
    try? FileSystem.unlink(files.request)
    upload.remove()
    startWatching()
    _ = readState()
    while true {
      let (requests, isStopping) = inbox.take()
      for request in requests { handle(request) }
      guard !isStopping else { return end(with: .silent) }
      if !requests.isEmpty { continue }
      var hasChanged = false
      poller.wait(until: [pending?.deadline, upload.deadline].compactMap(\.self).min()) { [watch] descriptor, _ in
        if descriptor == watch?.descriptor, watch?.drain() == true { hasChanged = true }
      }
      if upload.deadline.map({ $0 <= .now() }) == true { upload.remove() }
      if hasChanged || pending.map({ $0.deadline <= .now() }) == true { look() }
    }
  }

  private mutating func handle(_ request: MachineService.Request) {
    if case .read(let backup, let completion) = request { return completion(backup.next()) }
    let state = readState()
    switch request {
    case .state(let mayAct, let completion):
      guard mayAct || state?.isSetUp == false else { return completion(.forbidden) }
      completion(state.map { .state($0.json(isWaiting: pending != nil, pads: pads())) } ?? .silent)
    case .read: break
    case .backup(let mayAct, let completion):
      guard mayAct || state?.isSetUp == false else { return completion(.forbidden) }
      guard let backup = OpenBackup(files.backup) else { return completion(.noBackup) }
      completion(.file(MachineBackup { [read] in read(backup, $0) }))
    case .upload(let bytes, let offset, let mayAct, let completion):
      guard mayAct || state?.isSetUp == false else { return completion(.forbidden) }
      completion(upload.store(bytes, at: offset))
    case .perform(let payload, let mayAct, let completion):
      guard mayAct || state?.isSetUp == false else { return completion(.forbidden) }
      do throws(MachineRequestError) {
        perform(try MachineRequest(payload), mayAct: mayAct, completion)
      } catch {
        completion(MachineAnswer(error))
      }
    }
  }

  private mutating func perform(
    _ request: MachineRequest, mayAct: Bool, _ completion: @escaping Completion<MachineAnswer>
  ) {
    guard pending == nil, !FileSystem.exists(files.request) else { return completion(.busy) }
    startWatching()
    guard watch != nil else { return completion(.silent) }
    last &+= 1
    let id = String(last)
    do throws(FileError) {
      try FileSystem.replaceFile(files.request, with: Array(request.text(id: id).utf8), permissions: 0o600)
    } catch {
      logger.error(
        "cannot write the request to the machine",
        metadata: ["machine.path": "\(files.request)", "machine.reason": "\(systemText(error.errno.rawValue))"])
      return completion(.silent)
    }
    logger.notice("asked the machine", metadata: ["machine.verb": "\(request.verb)", "machine.request": "\(id)"])
    // From here on, root removes it.
    if request.verb == .restore { upload.deadline = nil }
    pending = Pending(id: id, deadline: .now() + patience, mayAct: mayAct, completion: completion)
  }

  /// Looks for the answer to the pending request.
  private mutating func look() {
    let state = readState()
    guard let pending else { return }
    switch state?.answer(to: pending.id) {
    case .done:
      // With this request, or in the meantime, root may have given the machine an owner.
      let shown = pending.mayAct || state?.isSetUp == false ? state?.json(isWaiting: false, pads: pads()) : nil
      end(with: .state(shown ?? MachineState.hidden))
    case .refused(let key, let reason):
      end(with: .invalid([SettingsFault(path: key, message: .verbatim(printable(reason, limit: 500)))]))
    case nil:
      guard pending.deadline <= .now() else { return }
      logger.warning("the machine does not answer", metadata: ["machine.request": "\(pending.id)"])
      // What root has not taken away yet is not performed later.
      try? FileSystem.unlink(files.request)
      end(with: .silent)
    }
  }

  private mutating func end(with answer: MachineAnswer) {
    let ended = pending.take()
    ended?.completion(answer)
  }

  /// Reads the state, and tells whether the machine is set up if that has changed.
  private mutating func readState() -> MachineState? {
    let state = MachineState(path: files.state)
    let isSet = state?.isSetUp ?? true
    if isSetUp != isSet {
      isSetUp = isSet
      onChange(isSet)
    }
    return state
  }

  private mutating func startWatching() {
    guard watch == nil else { return }
    do throws(ConfigurationWatchError) {
      let new = try ConfigurationWatch(location: files.state)
      poller.watch(new.descriptor, for: .readable)
      watch = new
    } catch {
      logger.error(
        "cannot watch the state of the machine", metadata: ["machine.reason": "\(systemText(error.errno))"])
    }
  }
}

extension MachineAnswer {
  fileprivate init(_ error: MachineRequestError) {
    switch error {
    case .payload(let detail): self = .badPayload(detail)
    case .value(let key, let message): self = .invalid([SettingsFault(path: key, message: message)])
    }
  }
}
