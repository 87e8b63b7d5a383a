import Configuration
import Testing
import Weighing

@testable import Backup

/// What a report says about a pad, for the list of known ones.
@Suite struct KnownPadDraftTests {
  private static let pad = PadDescription(
    name: "Pad \"one\" \\ two\n", id: PadIdentity(bus: 0x18, vendor: 0x6cb, product: 0xce37, version: 0x100),
    unique: "SERIAL-0815", axes: [.multitouchPressure: AxisRange(minimum: 0, maximum: 0)], properties: [0, 5])

  /// Also of a pad whose range is empty, which cannot weigh: it is the one that needs help.
  @Test func isAnEntryOfTheList() throws {
    let text = KnownPadDraft(Self.pad, measurement: .unknown).text
    #expect(!text.contains("SERIAL"))
    #expect(text.contains("ABS_MT_PRESSURE 0...0") && text.contains("properties 0 5"), "\(text)")
    let read = try KnownPad.parse(bytes: Array(text.utf8), file: "known-pads.yaml")
    #expect(
      read == [
        KnownPad(
          name: "Pad \"one\" \\ two\u{FFFD}", vendor: 0x6cb, product: 0xce37, measures: .unknown,
          source: "report of a user")
      ])
  }
}
