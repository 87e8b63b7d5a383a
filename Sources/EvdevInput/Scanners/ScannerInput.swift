import Languages
import Logging
import Weighing

/// Barcode and RFID readers, which type codes as keyboards do; they may be connected and disconnected at any time.
///
/// Owned by one thread, which polls as for `ButtonInput`. Each device is grabbed, so that its codes reach no console and no
/// desktop, and has its own modifiers and its own `CodeReader`: two scanners at once never mix. A device that another
/// program has grabbed is not read, and one that cannot be grabbed yet is not read either: its codes would be typed twice.
package final class ScannerInput {
  private let bindings: [ScannerBinding]
  private let devices: KeyDevices<OpenScanner>
  private let logger: Logger
  /// Bindings without a device; each is logged once.
  private var missing: Set<ScannerBinding> = []

  /// Makes an input that searches for its devices on the first call of `process`. A binding with an unknown layout is
  /// logged and not used.
  ///
  /// - Throws: `EvdevError.system` if the user's limit of inotify instances is reached.
  package init(
    _ bindings: [ScannerBinding], directory: String = DeviceSurvey.standardDirectory, logger: Logger
  ) throws(EvdevError) {
    self.logger = logger
    var layouts: [String: KeyLayout] = [:]
    for name in Set(bindings.map(\.layout)).sorted() {
      do throws(KeyLayoutError) {
        layouts[name] = try KeyLayout(name)
      } catch {
        logger.error("scanner not used", metadata: ["scanner.reason": "\(error.description)"])
      }
    }
    let usable = bindings.filter { layouts[$0.layout] != nil }
    self.bindings = usable
    devices = try KeyDevices(
      usable.map(\.device), kind: "scanner", directory: directory, logger: logger
    ) { [layouts] device throws(EvdevError) in
      guard device.description.scanObstacle == nil,
        let binding = usable.mostPrecise(for: device), let layout = layouts[binding.layout]
      else { return nil }
      return try OpenScanner(device, layout)
    }
  }

  /// The descriptor to poll: readable whenever `process` has work to do.
  package var fileDescriptor: Int32 { devices.fileDescriptor }

  /// When to call `process` even if `fileDescriptor` is not readable; `nil` if there is no need.
  package var nextDeadline: Instant? { devices.nextDeadline }

  /// The scanners in use, lowest path first.
  package var paths: [String] { devices.all.map(\.device.path).sorted() }

  /// Ignores one device, by whatever path: the pad.
  package func exclude(_ path: String?) { devices.exclude(path) }

  /// Processes all pending input and passes codes with their times to `body`; never waits.
  ///
  /// The times are those of the Enter keys; they are in order for each device, but not across devices.
  package func process(at now: Instant = .now(), _ body: (ScannedCode, Instant) -> Void) {
    guard devices.process(at: now, body) else { return }
    let open = devices.all.map(\.device)
    let gone = bindings.filter { binding in !open.contains { binding.device.accepts($0.description, at: $0.path) } }
    for binding in gone where !missing.contains(binding) {
      logger.notice("waiting for a scanner", metadata: ["scanner.device": "\(binding.device)"])
    }
    missing = Set(gone)
  }
}

extension [ScannerBinding] {
  /// The binding that identifies a device most precisely, or else the first that matches it.
  fileprivate func mostPrecise(for device: EvdevDevice) -> ScannerBinding? {
    filter { $0.device != .automatic && $0.device.accepts(device.description, at: device.path) }
      .reduce(nil) { best, next in
        guard let best, best.device.precision >= next.device.precision else { return next }
        return best
      }
  }
}

extension PadDescription {
  /// Why the device cannot be a scanner; `nil` if it can.
  package var scanObstacle: Sentence? {
    if isWeighingKeyboard { return Sentence(.scannerTypesWeighings) }
    func has(_ codes: some Sequence<UInt16>) -> Bool { codes.allSatisfy { keys.contains(KeyCode(rawValue: $0)) } }
    guard has(ScannerKeyCode.digits) || has(ScannerKeyCode.keypad) else { return Sentence(.scannerNoDigits) }
    guard ScannerKeyCode.enter.contains(where: { has([$0]) }) else { return Sentence(.scannerNoEnter) }
    return nil
  }
}
