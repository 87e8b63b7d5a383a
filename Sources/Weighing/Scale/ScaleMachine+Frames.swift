extension ScaleMachine {
  /// Takes a frame: its presses first, then its load.
  mutating func take(_ frame: Frame, _ effects: inout [Effect]) {
    guard let pad else { return }
    if frame.followsGap { interrupt() }
    var load = RawForce.zero
    var isAtEnd = false
    var loads = RebaseliningDetector.Contacts()
    pressedZones = 0
    for contact in frame.contacts {
      if isLoad(contact, pad) {
        load = load + contact.raw
        loads.insert(contact)
        isAtEnd = isAtEnd || contact.isAtMaximum
      } else {
        pressedZones += 1
      }
    }
    rebaselining.observe(load, of: loads, followsGap: frame.followsGap, at: now)
    if settings.publishesContacts { report(frame, pad, &effects) }
    let held = overloadGuard.release()
    if holdsBack(load, isAtEnd: isAtEnd, pad, followsGap: frame.followsGap) {
      guard let held else {
        overloadGuard.hold(load, isAtEnd: isAtEnd, at: now)
        if addingLimit == nil { observePresses(frame, pad, &effects) }
        return update(&effects)
      }
      apply(held)
    } else if let held, !frame.followsGap, confirms(load, held, pad) {
      apply(held)
    }
    raw = load
    axisAtEnd = isAtEnd
    observePresses(frame, pad, &effects)
    if axisAtEnd {
      // A value at the end of the range says nothing of the load but that it is there.
      filter.restart()
    } else if raw > .zero {
      if filter.isIdle { stability.restart() }
      filter.add(Double(raw.counts), at: now)
    } else if settings.surface == .contacts {
      release(&effects)
    } else {
      filter.add(0, at: now)
    }
    update(&effects)
  }

  /// Whether a contact is a load; otherwise it is a press in a zone.
  private func isLoad(_ contact: Contact, _ pad: Pad) -> Bool {
    pad.weighsInZones || settings.zones.zone(at: contact.origin) == nil
  }

  private mutating func report(_ frame: Frame, _ pad: Pad, _ effects: inout [Effect]) {
    reportedContacts.removeAll(keepingCapacity: true)
    for contact in frame.contacts {
      reportedContacts.append(
        .init(contact: contact, force: pad.axis.force(of: contact.raw), weighs: isLoad(contact, pad)))
    }
    effects.append(.contacts(ContactsReport(time: now, entries: reportedContacts)))
  }

  /// What lay there may not be what lies there now.
  private mutating func interrupt() {
    filter.restart()
    _ = overloadGuard.release()
    announced = nil
  }

  /// Forgets the load, because it is unknown.
  mutating func forgetLoad() {
    rebaselining.forgetLoad()
    raw = .zero
    axisAtEnd = false
    pressedZones = 0
    wasOverloaded = false
    beginAnew()
  }

  /// Nothing presses any more: the reading resets at once.
  private mutating func release(_ effects: inout [Effect]) {
    beginAnew()
    if settings.tareOnRelease == .clear && tare != .zero { dropTare(&effects) }
  }

  /// Whatever is weighed next is another load.
  private mutating func beginAnew() {
    interrupt()
    stability.restart()
    rounding.reset()
    grossRounding.reset()
    if settings.surface == .contacts { plate = Plate() }
  }
}
