import Weighing

/// Says what a sequence of fingers and keys has to come to, from its history alone: no states, only what was seen.
///
/// Written from the words of the requirements, without a look at the core.
struct TouchOracle {
  /// Something that has to be asked for, and the net that it is about where one was at rest in time.
  struct Fire {
    var action: String
    var source: ActionSource
    var latch: Reading?
  }

  /// What one finger in a zone did, from coming down on.
  private struct Episode {
    var serial: UInt64
    var action: String
    var start: Double
    /// At each frame, whether it was in the confirm area and whether its force was above the threshold.
    var samples: [(isInArea: Bool, isAbove: Bool)] = []
    var latch: Reading?

    /// Confirmed when, since it last came into the area, it was above the threshold at least once.
    var isConfirmed: Bool { samples.reversed().prefix { $0.isInArea }.contains { $0.isAbove } }
  }

  private struct Hold {
    var button: Int
    var action: String
    var since: Instant
    var latch: Reading?
  }

  let confirm: ConfirmSettings
  /// Counts of one gram.
  static let countsPerGram = 2.0
  private(set) var fires: [Fire] = []
  private var episode: Episode?
  private var hold: Hold?
  private var keys: Set<Int> = []
  private var wasZoneTouched = false
  /// Two fingers, a gap or a key spoilt what is in the zones until they are free.
  private var isSpoilt = false

  init(_ confirm: ConfirmSettings) { self.confirm = confirm }

  /// The strips of the default configuration.
  private func action(_ contact: Contact) -> String? {
    guard let x = contact.origin?.x else { return nil }
    return x <= 0.15 ? "tare" : x >= 0.85 ? "commit" : nil
  }

  /// A frame, and the reading before it.
  mutating func see(_ frame: Frame, after reading: Reading) {
    let fingers = frame.contacts.filter { action($0) != nil }
    defer { wasZoneTouched = !fingers.isEmpty }
    if frame.followsGap, !fingers.isEmpty {
      (isSpoilt, hold) = (true, nil)
      episode = nil
    } else if frame.followsGap {
      episode = nil
    }
    if let current = episode, !fingers.contains(where: { $0.serial == current.serial }) {
      if current.isConfirmed { fires.append(Fire(action: current.action, source: .pad, latch: current.latch)) }
      episode = nil
    }
    if fingers.isEmpty { isSpoilt = false }
    if fingers.count > 1 || !fingers.isEmpty && hold != nil { (isSpoilt, hold, episode) = (true, nil, nil) }
    guard !isSpoilt, let finger = fingers.first, let name = action(finger), let y = finger.position?.y else { return }
    if episode == nil {
      episode = Episode(serial: finger.serial, action: name, start: y, latch: reading.isStable ? reading : nil)
    }
    let force = Double(finger.raw.counts) / Self.countsPerGram / confirm.full.value
    let slid = (episode?.start ?? y) - y
    episode?.samples.append((slid >= confirm.slide, finger.isAtMaximum || min(force, 1) > confirm.threshold))
  }

  /// A key, and the reading before it.
  mutating func see(_ key: ButtonChange, after reading: Reading, at now: Instant) {
    switch key.change {
    case .pressed:
      guard keys.insert(key.button).inserted else { return }
      let isFree = keys.count == 1 && !wasZoneTouched
      if episode != nil { isSpoilt = true }
      (episode, hold) = (nil, nil)
      let latch = reading.isStable ? reading : nil
      if isFree { hold = Hold(button: key.button, action: key.action, since: now, latch: latch) }
    case .released:
      guard keys.remove(key.button) != nil, let current = hold, current.button == key.button else { return }
      hold = nil
      guard (now - current.since).nanoseconds >= confirm.hold.nanoseconds else { return }
      fires.append(Fire(action: current.action, source: .button, latch: current.latch))
    case .lost:
      guard keys.remove(key.button) != nil, hold?.button == key.button else { return }
      hold = nil
    }
  }

  /// A reading during the press: the first at rest is meant, where none was before; a tare since makes it void.
  mutating func see(_ reading: Reading) {
    func renewed(_ latch: Reading?) -> Reading? {
      let valid = latch?.tareEpoch == reading.tareEpoch ? latch : nil
      return valid ?? (reading.isStable ? reading : nil)
    }
    if let current = episode { episode?.latch = renewed(current.latch) }
    if let current = hold { hold?.latch = renewed(current.latch) }
  }
}
