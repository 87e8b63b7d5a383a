import Weighing

/// A scanner that is open.
///
/// ```
///   opened ──► waiting ── no key is down ──► grabbed ──► codes
/// ```
/// A key that is down when a device is grabbed stays down for the console and the desktop, which never see its release.
/// Until the grab, events are only observed.
final class OpenScanner: OpenKeys {
  let device: EvdevDevice
  private(set) var hasDelivered = false

  private var keys: ScannerKeys
  private var reader = CodeReader()
  private var isGrabbed = false
  private var down: Set<UInt16> = []

  /// Grabs a device as soon as no key is down.
  ///
  /// - Throws: `EvdevError.grabbed` if another program has grabbed it, `.lost` or `.system`.
  init(_ device: EvdevDevice, _ layout: KeyLayout) throws(EvdevError) {
    self.device = device
    keys = ScannerKeys(layout)
    device.tellState { observe($0) }
    // Also with a key down: under the grab of another program its release would never arrive.
    try device.setGrab(true)
    if down.isEmpty { begin() } else { try device.setGrab(false) }
  }

  /// Reads pending events and reports the codes that they complete.
  func read(_ body: (ScannedCode, Instant) -> Void) throws(EvdevError) {
    try device.readEvents { event in
      hasDelivered = true
      guard isGrabbed else { return observe(event) }
      guard let key = keys.handle(event), let code = reader.receive(key, at: event.time) else { return }
      body(code, event.time)
    }
    try grabIfReleased()
  }

  /// Drops an incomplete code with this object.
  func releaseAll(_: (ScannedCode, Instant) -> Void) {}

  private func observe(_ event: InputEvent) {
    guard event.type == .key else { return }
    if event.value == 0 { down.remove(event.code) } else { down.insert(event.code) }
  }

  private func grabIfReleased() throws(EvdevError) {
    guard !isGrabbed, down.isEmpty else { return }
    try device.setGrab(true)
    begin()
  }

  private func begin() {
    isGrabbed = true
    // The first characters of a code that is being typed went elsewhere.
    _ = reader.receive(.gap, at: .now())
  }
}
