import Logging
import Weighing

/// Keys and GPIO buttons of evdev devices that trigger actions; devices may be connected and disconnected at any time.
///
/// Owned by one thread. Wait until `fileDescriptor` is readable or `nextDeadline` is reached, then call `process`; it is
/// readable from the start. Nothing is polled: while no key moves, only inotify wakes the thread. Devices are opened read-only and never
/// grabbed: a keyboard still works as a keyboard, so a key with a function on the desktop triggers both. A device that
/// another program has grabbed sends no events.
package final class ButtonInput {
  private let devices: KeyDevices<OpenButtons>
  private let boundPaths: Set<String>
  private let logger: Logger
  /// Bound paths that do not exist; each is logged once.
  private var missing: Set<String> = []

  /// Makes an input that searches for its devices on the first call of `process`.
  ///
  /// - Throws: `EvdevError.system` if the user's limit of inotify instances is reached.
  package init(
    _ bindings: [ButtonBinding], directory: String = DeviceSurvey.standardDirectory, logger: Logger
  ) throws(EvdevError) {
    self.logger = logger
    boundPaths = Set(bindings.compactMap { if case .path(let path) = $0.device { path } else { nil } })
    var nextNumber = 0
    devices = try KeyDevices(bindings.map(\.device), kind: "button", directory: directory, logger: logger) { device in
      let keys = BoundKeys(bindings, of: device) {
        defer { nextNumber += 1 }
        return nextNumber
      }
      return keys.isEmpty ? nil : OpenButtons(device, keys)
    }
  }

  /// The descriptor to poll: readable whenever `process` has work to do.
  package var fileDescriptor: Int32 { devices.fileDescriptor }

  /// When to call `process` even if `fileDescriptor` is not readable; `nil` if there is no need.
  package var nextDeadline: Instant? { devices.nextDeadline }

  /// The devices with a bound key, lowest path first.
  package var paths: [String] { devices.all.map(\.device.path).sorted() }

  /// Ignores one device, by whatever path: the pad, which reports its keys itself (`PadEvent.button`).
  ///
  /// - Parameter path: The path from `PadEvent.found`; `nil` if there is no pad.
  package func exclude(_ path: String?) { devices.exclude(path) }

  /// Processes all pending input and passes button changes with their times to `body`; never waits.
  ///
  /// The times are those of the events; they are in order for each device, but not across devices.
  package func process(at now: Instant = .now(), _ body: (ButtonChange, Instant) -> Void) {
    guard devices.process(at: now, body) else { return }
    let gone = boundPaths.filter { NodeIdentity($0) == nil }
    for path in gone.subtracting(missing).sorted() {
      logger.notice("waiting for a button device", metadata: ["button.path": "\(path)"])
    }
    missing = gone
  }
}
