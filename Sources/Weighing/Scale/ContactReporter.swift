/// Lists the contacts of a frame for the topic `contacts`.
///
/// The buffer of the last list is reused once every consumer has released it, so that a frame allocates nothing.
struct ContactReporter: Sendable {
  private var entries: [ContactsReport.Entry] = []

  /// Makes the report of a frame.
  mutating func report(_ frame: Frame, on pad: ConnectedPad, zones: Zones, at time: Instant) -> ContactsReport {
    entries.removeAll(keepingCapacity: true)
    for contact in frame.contacts {
      entries.append(
        .init(contact: contact, force: pad.axis.force(of: contact.raw), weighs: pad.isLoad(contact, zones: zones)))
    }
    return ContactsReport(time: time, entries: entries)
  }
}
