import Testing
import Weighing

@testable import EvdevInput

@Suite struct ChoiceTests {
  private static func pad(
    _ number: Int, _ axis: AxisCode = .pressure, maximum: Int32 = 255, resolution: Int32 = 0, name: String = "Pad"
  ) -> DeviceSurvey.Entry {
    let range = AxisRange(minimum: 0, maximum: maximum, resolution: resolution)
    let keys: Set<KeyCode> = name == "Pen" ? [.toolPen] : [.touch]
    let description = PadDescription(
      name: name, id: PadIdentity(vendor: UInt16(number), product: 7), axes: [axis: range], keys: keys)
    return entry(number, DeviceSurvey.Finding(description))
  }

  private static func entry(_ number: Int, _ finding: DeviceSurvey.Finding) -> DeviceSurvey.Entry {
    DeviceSurvey.Entry(path: "/dev/input/event\(number)", finding: finding)
  }

  private static func appointed(_ entry: DeviceSurvey.Entry, by link: String = "/dev/input/grampad")
    -> DeviceSurvey.Entry
  {
    DeviceSurvey.Entry(path: entry.path, links: [link], finding: entry.finding)
  }

  private static let locked = entry(9, .unreadable(.notPermitted(path: "/dev/input/event9")))

  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var entries: [DeviceSurvey.Entry]
    var selector = PadSelector.automatic
    var chosen: Int?
    var because: String
  }

  private static let permission =
    "/dev/input/event9: no permission; add the user to the group input (`sudo usermod -aG input USER`) and log in again"

  static let cases = [
    Case(testDescription: "nothing at all", entries: [], because: "no input device found"),
    Case(
      testDescription: "only one", entries: [pad(3), locked], chosen: 3, because: "the only device that can weigh"),
    Case(
      testDescription: "counts per gram before contacts",
      entries: [pad(1, .multitouchPressure, maximum: 4095), pad(2, resolution: 3)], chosen: 2,
      because: "its driver reports a resolution of 3 counts per gram"),
    Case(
      testDescription: "contacts before range", entries: [pad(1, maximum: 4095), pad(2, .multitouchPressure)],
      chosen: 2, because: "it reports each contact separately (ABS_MT_PRESSURE)"),
    Case(
      testDescription: "the longer range", entries: [pad(1), pad(2, maximum: 1023)], chosen: 2,
      because: "its axis has the larger range, 1023 counts compared with 255"),
    Case(
      testDescription: "the lowest node, by number", entries: [pad(10), pad(9)], chosen: 9,
      because: "the lowest event number among equal devices"),
    Case(
      testDescription: "what a udev rule names, before all others",
      entries: [pad(1, .multitouchPressure, resolution: 3), appointed(pad(2))], chosen: 2,
      because: "selected by a udev rule"),
    Case(
      testDescription: "a pen that a udev rule names", entries: [appointed(pad(2, name: "Pen"))], chosen: 2,
      because: "the only device that can weigh"),
    Case(
      testDescription: "what a udev rule names and cannot be read", entries: [pad(1), appointed(locked)], chosen: 1,
      because: "the only device that can weigh"),
    Case(
      testDescription: "a link of that name elsewhere says nothing",
      entries: [pad(1), appointed(pad(2), by: "/dev/input/by-id/grampad")], chosen: 1,
      because: "the lowest event number among equal devices"),
    Case(
      testDescription: "the configuration's word counts more",
      entries: [pad(1, resolution: 3), appointed(pad(2))],
      selector: .match(name: "Pad", vendor: nil, product: nil), chosen: 1,
      because: "its driver reports a resolution of 3 counts per gram"),
    Case(
      testDescription: "a pen is not picked", entries: [pad(1, name: "Pen")],
      because: "none of 1 input devices can weigh; see `grampad devices`"),
    Case(
      testDescription: "one that cannot be read is spoken of", entries: [pad(1, name: "bcm5974"), locked],
      because: "none of 2 input devices can weigh; see `grampad devices`; 1 cannot be opened: " + permission),
    Case(
      testDescription: "a pen that is named", entries: [pad(1), pad(2, name: "Pen")],
      selector: .match(name: "Pen", vendor: nil, product: nil), chosen: 2,
      because: "the only device that matches pad.device"),
    Case(
      testDescription: "a faultless one of the same product", entries: [pad(1, maximum: 8191, name: "Pen"), pad(2)],
      selector: .match(name: nil, vendor: nil, product: 7), chosen: 2,
      because:
        "/dev/input/event1 is doubtful: it measures the pressure of a pen tip; used only if pad.device selects it"),
    Case(
      testDescription: "no such vendor", entries: [pad(1)],
      selector: .match(name: "Pad", vendor: 0x6cb, product: nil),
      because: "device named \"Pad\" with vendor 0x06cb not found"),
    Case(
      testDescription: "the named one cannot weigh",
      entries: [entry(4, DeviceSurvey.Finding(PadDescription(name: "K")))],
      selector: .match(name: "K", vendor: nil, product: nil),
      because: "/dev/input/event4: cannot weigh: no pressure axis (ABS_MT_PRESSURE or ABS_PRESSURE); "
        + "specify another axis with pad.axis"),
    Case(
      testDescription: "a path that cannot be read", entries: [pad(1), locked], selector: .path("/dev/input/event9"),
      because: permission),
  ]

  @Test(arguments: cases) func choice(_ example: Case) {
    for entries in [example.entries, example.entries.reversed()] {
      switch DeviceSurvey(entries: entries).choose(example.selector) {
      case .chosen(let entry, let because):
        #expect(entry.path == example.chosen.map { "/dev/input/event\($0)" })
        #expect(because.description == example.because)
      case .none(let reason):
        #expect(example.chosen == nil)
        #expect(reason.description == example.because)
      }
    }
  }

  @Test func aDirectoryThatCannotBeListed() {
    let survey = DeviceSurvey.scan(known: [], directory: "/nonexistent/input")
    #expect(survey.failure == .notFound(path: "/nonexistent/input"))
    let reason = "/nonexistent/input: no such device; connect it, or list the devices with `grampad devices`"
    guard case .none(let found) = survey.choose(.automatic) else {
      Issue.record("a device in a directory that does not exist")
      return
    }
    #expect(found.description == reason)
  }

  @Test func aNamedAxisIsNotDoubted() {
    let z = AxisCode(rawValue: 2)
    let range = AxisRange(minimum: 0, maximum: 9)
    let pen = PadDescription(name: "Pen", axes: [.pressure: range, z: range], keys: [.toolPen])
    if case .weighs(_, let axis) = DeviceSurvey.Finding(pen, axis: .named(z)) {
      #expect(axis.code == z)
    } else {
      Issue.record("doubted")
    }
  }
}
