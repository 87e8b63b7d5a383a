import Glibc
import Linux
import Logging
import Weighing

/// A device that is open because of its keys.
protocol OpenKeys: AnyObject {
  /// What its keys give.
  associatedtype Output
  /// The device.
  var device: EvdevDevice { get }
  /// Whether it has sent any event.
  var hasDelivered: Bool { get }
  /// Reads pending events; passes what they give with its time to `body`.
  func read(_ body: (Output, Instant) -> Void) throws(EvdevError)
  /// Ends what is under way: the device is gone.
  func releaseAll(_ body: (Output, Instant) -> Void)
}

/// The evdev devices that are used for their keys; they may be connected and disconnected at any time.
///
/// ```
///   node appears ──► opened, wanted ──► used ──► unplugged ──► gone
///                      │        └─ not wanted ──► ignored until it changes
///                      ├─ no permission ──► tried again after PermissionGrace
///                      └─ grabbed by another program ──► tried again each `grabRetry`
/// ```
/// Owned by one thread. While no key moves and no device is refused, only inotify wakes the thread.
final class KeyDevices<Keys: OpenKeys> {
  private let selectors: [PadSelector]
  private let directory: String
  private let kind: String
  private let logger: Logger
  private let use: (EvdevDevice) throws(EvdevError) -> Keys?

  private let poller = Poller()
  private let starter = Signal()
  private var watch: AppearanceWatch
  private var devices: [Int32: (keys: Keys, node: NodeIdentity)] = [:]
  /// Nodes that are not wanted, with their state at that time: they need not be opened again.
  private var useless: Set<NodeState> = []
  /// Devices without permission.
  private var grace = PermissionGrace()
  /// Devices that another program has grabbed; each is logged once.
  private var grabbed: Set<NodeState> = []
  private var grabDeadline: Instant?
  private var excluded: NodeIdentity?
  private var pending: [(Keys.Output, Instant)] = []

  /// How long to wait before another attempt at a device that another program has grabbed: the end of a grab notifies no
  /// program. Chosen: a restarted program is gone by then, and opening one device each 5 s costs little.
  private let grabRetry = Interval.seconds(5)

  /// Makes a list that searches for its devices on the first call of `process`.
  ///
  /// - Parameters:
  ///   - kind: The use of the devices, for the log.
  ///   - use: Returns the keys of an opened device that is matched; `nil` if the device is not wanted.
  /// - Throws: `EvdevError.system` if the user's limit of inotify instances is reached.
  init(
    _ selectors: [PadSelector], kind: String, directory: String, logger: Logger,
    use: @escaping (EvdevDevice) throws(EvdevError) -> Keys?
  ) throws(EvdevError) {
    (self.selectors, self.kind, self.directory, self.logger, self.use) = (selectors, kind, directory, logger, use)
    var goals: Set<AppearanceWatch.Goal> = []
    for selector in selectors {
      switch selector {
      case .automatic, .match: goals.insert(.nodes(directory: directory))
      case .path(let path): goals.insert(.path(path))
      }
    }
    watch = try AppearanceWatch(goals)
    poller.watch(starter.descriptor, for: .readable)
    poller.watch(watch.fileDescriptor, for: .readable)
    starter.raise()
  }

  /// The descriptor to poll: readable whenever `process` has work to do.
  var fileDescriptor: Int32 { poller.fileDescriptor }

  /// When to call `process` even if `fileDescriptor` is not readable; `nil` if there is no need.
  var nextDeadline: Instant? {
    guard let grabDeadline else { return grace.nextDeadline }
    return grace.nextDeadline.map { min($0, grabDeadline) } ?? grabDeadline
  }

  /// The devices in use.
  var all: some Sequence<Keys> { devices.values.lazy.map(\.keys) }

  /// Ignores one device, by whatever path.
  func exclude(_ path: String?) {
    excluded = path.flatMap(NodeIdentity.init)
    for (descriptor, open) in devices where open.node == excluded {
      release(descriptor) { self.pending.append(($0, $1)) }
    }
    starter.raise()
  }

  /// Processes all pending input; never waits. Returns whether it has searched for devices.
  func process(at now: Instant, _ body: (Keys.Output, Instant) -> Void) -> Bool {
    for (output, time) in pending { body(output, time) }
    pending.removeAll()
    var mustSearch = nextDeadline.map { $0 <= now } ?? false
    for (descriptor, readiness) in poller.wait(milliseconds: 0) {
      if descriptor == starter.descriptor {
        starter.lower()
        mustSearch = true
      } else if descriptor == watch.fileDescriptor {
        if watch.drain() { mustSearch = true }
      } else if isGone(descriptor, at: now, isHungUp: !readiness.isDisjoint(with: .ended), body) {
        mustSearch = true
      }
    }
    if mustSearch { search(at: now) }
    return mustSearch
  }

  /// Reads a device; returns whether it was lost and may be present again.
  private func isGone(
    _ descriptor: Int32, at now: Instant, isHungUp: Bool, _ body: (Keys.Output, Instant) -> Void
  ) -> Bool {
    guard let open = devices[descriptor]?.keys else { return false }
    do throws(EvdevError) {
      try open.read(body)
      if isHungUp { throw .lost(path: open.device.path) }
      return false
    } catch {
      release(descriptor, body)
      if case .grabbed = error { return true }
      logger.notice(
        "\(kind) device lost", metadata: ["\(kind).path": "\(error.path)", "\(kind).reason": "\(error.reason)"])
      if case .lost = error { return true }
      // A device that fails before its first event is ignored until something changes in its directory.
      return open.hasDelivered
    }
  }

  private func release(_ descriptor: Int32, _ body: (Keys.Output, Instant) -> Void) {
    poller.forget(descriptor)
    devices.removeValue(forKey: descriptor)?.keys.releaseAll(body)
  }

  private func search(at now: Instant) {
    do throws(EvdevError) {
      // Arm first, so that a device that appears during the search is detected.
      try watch.arm()
    } catch {
      logger.warning("cannot watch for new \(kind) devices", metadata: ["\(kind).reason": "\(error.description)"])
    }
    grabDeadline = nil
    var seen: Set<NodeState> = []
    var present: Set<String> = []
    for path in candidates().sorted() {
      guard let state = NodeState(path) else { continue }
      seen.insert(state)
      present.insert(path)
      let isKnown = state.node == excluded || devices.values.contains { $0.node == state.node }
      guard !isKnown, !useless.contains(state) || grace.isDue(path, at: now) else { continue }
      if !open(path, state, at: now) { useless.insert(state) }
    }
    useless.formIntersection(seen)
    grabbed.formIntersection(seen)
    grace.keep(present)
  }

  /// The nodes that may be wanted, each once.
  private func candidates() -> Set<String> {
    var paths: Set<String> = []
    for selector in selectors {
      switch selector {
      case .path(let path): paths.insert(InputPath.node(path))
      case .automatic, .match:
        let names = (try? InputPath.names(in: directory)) ?? []
        paths.formUnion(names.filter(DeviceSurvey.isEventNode).map { InputPath.join(directory, $0) })
      }
    }
    return paths
  }

  /// Uses a device if it is wanted; returns whether it is, or is to be tried again.
  private func open(_ path: String, _ state: NodeState, at now: Instant) -> Bool {
    do throws(EvdevError) {
      let device = try EvdevDevice(path: path)
      grace.forget(path)
      guard let keys = try use(device) else { return false }
      grabbed.remove(state)
      devices[device.fileDescriptor] = (keys, state.node)
      poller.watch(device.fileDescriptor, for: .readable)
      logger.info(
        "\(kind) device found", metadata: ["\(kind).path": "\(path)", "\(kind).name": "\(device.description.name)"])
      return true
    } catch {
      var isRetried = false
      switch error {
      case .notPermitted:
        guard grace.refuse(path, state.node, at: now) else { return false }
      case .grabbed:
        (grabDeadline, isRetried) = (now + grabRetry, true)
        guard grabbed.insert(state).inserted else { return true }
      case .notFound, .notEvdev, .unsuitable, .lost, .system:
        grace.forget(path)
      }
      logger.notice(
        "cannot use \(kind) device", metadata: ["\(kind).path": "\(error.path)", "\(kind).reason": "\(error.reason)"])
      return isRetried
    }
  }
}

/// The state of a node: it changes with the device or its permissions.
struct NodeState: Hashable {
  /// The identity of the device.
  let node: NodeIdentity

  private let file: ino_t
  private let seconds: Int
  private let nanoseconds: Int

  /// Reads the state of a path; `nil` if it is not a device node.
  init?(_ path: String) {
    var status = stat()
    guard let node = NodeIdentity(path), stat(path, &status) == 0 else { return nil }
    self.node = node
    file = status.st_ino
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }
}
