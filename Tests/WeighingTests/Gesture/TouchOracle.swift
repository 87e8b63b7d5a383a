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
    /// One frame: whether it was in the confirm area, and whether its force was above the threshold.
    struct Sample {
      var time: Instant
      var height: Double
      var isInArea: Bool
      var isAbove: Bool
    }

    var serial: UInt64
    var action: String
    var began: Instant
    var start: Double
    var samples: [Sample] = []
    var latch: Reading?

    /// A press is confirmed if it was above the threshold at least once since it entered the area. Lifting it fires if it
    /// entered at least 100 ms ago, has not moved for 40 ms and was not dragged over the upper edge.
    func fires(at now: Instant, slide: Double) -> Bool {
      guard isConfirmed, let entered = inside.last, let last = samples.last else { return false }
      var rest = samples[0]
      for sample in samples where (sample.height - rest.height).magnitude > 0.02 { rest = sample }
      let isOverEdge = last.height < 0.03 && start - last.height >= slide + 0.1
      return now - entered.time >= .milliseconds(100) && now - rest.time >= .milliseconds(40) && !isOverEdge
    }

    var isConfirmed: Bool { inside.contains(where: \.isAbove) }

    private var inside: ReversedCollection<[Sample]>.SubSequence { samples.reversed().prefix { $0.isInArea } }
  }

  private struct Hold {
    var button: Int
    var action: String
    var since: Instant
    var latch: Reading?
  }

  let confirm: ScaleSettings.Confirm
  /// Counts of one gram.
  static let countsPerGram = 2.0
  private(set) var fires: [Fire] = []
  /// The presses that were shown as confirmed and fire nothing, which has to be said.
  private(set) var failures: [Fire] = []
  private var episode: Episode?
  private var hold: Hold?
  private var keys: Set<Int> = []
  private var wasZoneTouched = false
  /// Two fingers, a gap or a key spoilt what is in the zones until they are free.
  private var isSpoilt = false

  init(_ confirm: ScaleSettings.Confirm) { self.confirm = confirm }

  /// The strips of the default configuration.
  private func action(_ contact: Contact) -> String? {
    guard let x = contact.origin?.x else { return nil }
    return x <= 0.15 ? "tare" : x >= 0.85 ? "commit" : nil
  }

  /// A frame, and the reading before it.
  mutating func see(_ frame: Frame, after reading: Reading) {
    let now = frame.time
    let fingers = frame.contacts.filter { action($0) != nil }
    defer { wasZoneTouched = !fingers.isEmpty }
    if frame.followsGap {
      if !fingers.isEmpty {
        isSpoilt = true
        endHold(at: now)
      }
      endEpisode()
    }
    if let current = episode, !fingers.contains(where: { $0.serial == current.serial }) {
      if current.fires(at: now, slide: confirm.slide) {
        fires.append(Fire(action: current.action, source: .pad, latch: current.latch))
        episode = nil
      }
      endEpisode()
    }
    if fingers.isEmpty { isSpoilt = false }
    if fingers.count > 1 || !fingers.isEmpty && hold != nil {
      isSpoilt = true
      endHold(at: now)
      endEpisode()
    }
    guard !isSpoilt, let finger = fingers.first, let name = action(finger), let y = finger.position?.y else { return }
    if let x = finger.position?.x, let origin = finger.origin?.x, origin < 0.5 ? x > 0.25 : x < 0.75 {
      isSpoilt = true
      endEpisode()
      return
    }
    if episode == nil {
      episode = Episode(
        serial: finger.serial, action: name, began: now, start: y, latch: reading.isStable ? reading : nil)
    }
    let force = Double(finger.raw.counts) / Self.countsPerGram / confirm.full.value
    let slid = (episode?.start ?? y) - y
    episode?.samples.append(
      Episode.Sample(
        time: now, height: y, isInArea: slid >= confirm.slide - 1e-9,
        isAbove: finger.isAtMaximum || min(force, 1) > confirm.threshold))
  }

  /// A key, and the reading before it.
  mutating func see(_ key: ButtonChange, after reading: Reading, at now: Instant) {
    switch key.change {
    case .pressed:
      guard keys.insert(key.button).inserted else { return }
      let isFree = keys.count == 1 && !wasZoneTouched
      if episode != nil { isSpoilt = true }
      endEpisode()
      endHold(at: now)
      let latch = reading.isStable ? reading : nil
      if isFree { hold = Hold(button: key.button, action: key.action, since: now, latch: latch) }
    case .released:
      guard keys.remove(key.button) != nil, let current = hold, current.button == key.button else { return }
      hold = nil
      guard (now - current.since).nanoseconds >= confirm.hold.nanoseconds else { return }
      fires.append(Fire(action: current.action, source: .button, latch: current.latch))
    case .lost:
      guard keys.remove(key.button) != nil, hold?.button == key.button else { return }
      endHold(at: now)
    }
  }

  /// The time that has passed without an input.
  mutating func pass(to now: Instant) {
    guard let current = episode, now - current.began >= confirm.timeout else { return }
    isSpoilt = true
    endEpisode()
  }

  /// Ends a press without its action.
  private mutating func endEpisode() {
    if let current = episode, current.isConfirmed {
      failures.append(Fire(action: current.action, source: .pad))
    }
    episode = nil
  }

  private mutating func endHold(at now: Instant) {
    if let current = hold, now - current.since > confirm.hold {
      failures.append(Fire(action: current.action, source: .button))
    }
    hold = nil
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
