import Linux
import Logging
import Weighing

/// Keys and GPIO buttons of evdev devices that trigger actions; devices may be connected and disconnected at any time.
///
/// Owned by one thread. Wait until `fileDescriptor` is readable or `nextDeadline` is reached, then call `process`; it is
/// readable from the start. Nothing is polled: while no key moves, only inotify wakes the thread. Devices are opened read-only and never
/// grabbed: a keyboard still works as a keyboard, so a key with a function on the desktop triggers both. A device that
/// another program has grabbed sends no events.
package final class ButtonInput {
  private let bindings: [ButtonBinding]
  private let directory: String
  private let logger: Logger

  private let poller = Poller()
  private let starter = Signal()
  private var watch: AppearanceWatch
  private var devices: [Int32: OpenButtons] = [:]
  /// Nodes without a bound key, with their state at that time: they need not be opened again.
  private var useless: Set<NodeState> = []
  /// Devices without permission.
  private var grace = PermissionGrace()
  private var excluded: NodeIdentity?
  /// Bound paths that do not exist; each is logged once.
  private var missing: Set<String> = []
  private var pending: [(ButtonChange, Instant)] = []
  private var nextNumber = 0

  /// Makes an input that searches for its devices on the first call of `process`.
  ///
  /// - Throws: `EvdevError.system` if the user's limit of inotify instances is reached.
  package init(
    _ bindings: [ButtonBinding], directory: String = DeviceSurvey.standardDirectory, logger: Logger
  ) throws(EvdevError) {
    (self.bindings, self.directory, self.logger) = (bindings, directory, logger)
    var goals: Set<AppearanceWatch.Goal> = []
    for binding in bindings {
      switch binding.device {
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
  package var fileDescriptor: Int32 { poller.fileDescriptor }

  /// When to call `process` even if `fileDescriptor` is not readable; `nil` if there is no need.
  package var nextDeadline: Instant? { grace.nextDeadline }

  /// The devices with a bound key, lowest path first.
  package var paths: [String] { devices.values.map(\.device.path).sorted() }

  /// Ignores one device, by whatever path: the pad, which reports its keys itself (`PadEvent.button`).
  ///
  /// - Parameter path: The path from `PadEvent.found`; `nil` if there is no pad any more.
  package func exclude(_ path: String?) {
    excluded = path.flatMap(NodeIdentity.init)
    for (descriptor, open) in devices where open.node == excluded {
      release(descriptor, { self.pending.append(($0, $1)) })
    }
    starter.raise()
  }

  /// Processes all pending input and passes button changes with their times to `body`; never waits.
  ///
  /// The times are those of the events; they are in order for each device, but not across devices.
  package func process(at now: Instant = .now(), _ body: (ButtonChange, Instant) -> Void) {
    for (change, time) in pending { body(change, time) }
    pending.removeAll()
    var mustSearch = nextDeadline.map { $0 <= now } ?? false
    for (descriptor, readiness) in poller.wait(milliseconds: 0) {
      if descriptor == starter.descriptor {
        starter.lower()
        mustSearch = true
      } else if descriptor == watch.fileDescriptor {
        if watch.drain() { mustSearch = true }
      } else if isGone(descriptor, isHungUp: !readiness.isDisjoint(with: .ended), body) {
        mustSearch = true
      }
    }
    if mustSearch { search(at: now) }
  }

  /// Reads a device; returns whether it was lost and may be present again.
  private func isGone(_ descriptor: Int32, isHungUp: Bool, _ body: (ButtonChange, Instant) -> Void) -> Bool {
    guard let open = devices[descriptor] else { return false }
    do throws(EvdevError) {
      try open.read(body)
      if isHungUp { throw .lost(path: open.device.path) }
      return false
    } catch {
      release(descriptor, body)
      logger.notice(
        "button device lost", metadata: ["button.path": "\(error.path)", "button.reason": "\(error.reason)"])
      if case .lost = error { return true }
      // A device that fails before its first event is ignored until something changes in its directory.
      return open.hasDelivered
    }
  }

  private func release(_ descriptor: Int32, _ body: (ButtonChange, Instant) -> Void) {
    poller.forget(descriptor)
    devices.removeValue(forKey: descriptor)?.releaseAll(body)
  }

  private func search(at now: Instant) {
    do throws(EvdevError) {
      // Arm first, so that a device that appears during the search is detected.
      try watch.arm()
    } catch {
      logger.warning("cannot watch for new button devices", metadata: ["button.reason": "\(error.description)"])
    }
    var seen: Set<NodeState> = []
    var present: Set<String> = []
    for path in candidates().sorted() {
      guard let state = NodeState(path) else { continue }
      seen.insert(state)
      present.insert(path)
      let isKnown = state.node == excluded || devices.values.contains { $0.node == state.node }
      guard !isKnown, !useless.contains(state) || grace.isDue(path, at: now) else { continue }
      if !open(path, state.node, at: now) { useless.insert(state) }
    }
    useless.formIntersection(seen)
    grace.keep(present)
    tellMissing()
  }

  private func tellMissing() {
    let paths = Set(bindings.compactMap { if case .path(let path) = $0.device { path } else { nil } })
    let gone = paths.filter { NodeIdentity($0) == nil }
    for path in gone.subtracting(missing).sorted() {
      logger.notice("waiting for a button device", metadata: ["button.path": "\(path)"])
    }
    missing = gone
  }

  /// The nodes that may have a bound key, each once.
  private func candidates() -> Set<String> {
    var paths: Set<String> = []
    for binding in bindings {
      switch binding.device {
      case .path(let path): paths.insert(InputPath.node(path))
      case .automatic, .match:
        let names = (try? InputPath.names(in: directory)) ?? []
        paths.formUnion(names.filter(DeviceSurvey.isEventNode).map { InputPath.join(directory, $0) })
      }
    }
    return paths
  }

  /// Uses a device if one of its keys is bound; returns whether it is.
  private func open(_ path: String, _ node: NodeIdentity, at now: Instant) -> Bool {
    do throws(EvdevError) {
      let device = try EvdevDevice(path: path)
      grace.forget(path)
      let keys = BoundKeys(bindings, of: device) {
        defer { nextNumber += 1 }
        return nextNumber
      }
      guard !keys.isEmpty else { return false }
      devices[device.fileDescriptor] = OpenButtons(device, node, keys)
      poller.watch(device.fileDescriptor, for: .readable)
      logger.info(
        "button device found", metadata: ["button.path": "\(path)", "button.name": "\(device.description.name)"])
      return true
    } catch {
      if case .notPermitted = error {
        guard grace.refuse(path, node, at: now) else { return false }
      } else {
        grace.forget(path)
      }
      logger.notice(
        "cannot use button device", metadata: ["button.path": "\(error.path)", "button.reason": "\(error.reason)"])
      return false
    }
  }
}
