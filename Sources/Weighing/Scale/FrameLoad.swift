/// A frame divided into the load and the presses in zones.
struct FrameLoad {
  /// The sum of the contacts that are a load.
  private(set) var raw = RawForce.zero
  /// The contacts that are a load.
  private(set) var contacts = RebaseliningDetector.Contacts()
  /// Whether one of them is at the end of the axis.
  private(set) var isAtEnd = false
  /// Whether one of them is beyond the range that the driver states.
  private(set) var isBeyondRange = false
  /// The number of contacts in zones, and of those in the zones of actions.
  private(set) var fingers = (zones: 0, actions: 0)
  /// Whether events were lost before the frame.
  let followsGap: Bool

  /// Divides a frame.
  init(_ frame: Frame, on pad: ConnectedPad, zones: Zones) {
    followsGap = frame.followsGap
    for contact in frame.contacts {
      if pad.isLoad(contact, zones: zones) {
        raw = raw + contact.raw
        contacts.insert(contact)
        if contact.isAtMaximum {
          isAtEnd = true
          if let end = pad.rangeEnd, contact.raw > end { isBeyondRange = true }
        }
      } else {
        fingers.zones += 1
        if zones.hasAction(at: contact.origin) { fingers.actions += 1 }
      }
    }
  }
}

extension SignalMonitor.Circumstances {
  /// What is known at a frame of a pad.
  @inline(__always)
  init(_ frame: FrameLoad, on pad: ConnectedPad, _ filter: LoadFilter, isAtRest: Bool) {
    self.init(
      value: frame.raw, isAtEnd: frame.isAtEnd, deliversEverySample: pad.description.deliversEverySample,
      canShowNoise: pad.surface == .platter && frame.raw > .zero && !frame.isAtEnd, isAtRest: isAtRest,
      noise: filter.sampleDeviation, quietVariance: filter.quietVariance, period: filter.samplePeriod)
  }
}

extension LoadFilter {
  /// Makes a filter for a pad.
  init(_ pad: ConnectedPad) {
    self.init(fullScale: pad.axis.fullScale, deliversEverySample: pad.description.deliversEverySample)
  }
}
