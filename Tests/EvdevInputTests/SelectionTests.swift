import Foundation
import Testing
import Weighing

extension Emulated {
  @Suite struct Selection {
    private static let several: [MockPad] = {
      var stranger = MockPad.protocolB(number: 5, name: "Mock Stranger")
      stranger.answersQuestions = false
      var single = MockPad.singleTouch(number: 2)
      single.links = ["by-id/usb-Mock-event-mouse", "by-path/pci-0000-event-mouse"]
      return [
        .keyboard(number: 0), .pen(number: 1), single, .protocolB(number: 10),
        .protocolB(number: 4, name: "Mock Stated Pad", resolution: 3), stranger,
      ]
    }()

    @Test func everyDeviceIsListedWithItsReason() throws {
      let lines = try Probe.run(["survey", "auto"], among: Self.several)
      #expect(
        lines == [
          "/dev/input/event0 [] - no pressure axis (ABS_MT_PRESSURE or ABS_PRESSURE); specify another axis with pad.axis",
          "/dev/input/event1 [] ABS_PRESSURE it measures the pressure of a pen tip; used only if pad.device selects it",
          "/dev/input/event2 [/dev/input/by-id/usb-Mock-event-mouse /dev/input/by-path/pci-0000-event-mouse] "
            + "ABS_PRESSURE weighs",
          "/dev/input/event4 [] ABS_MT_PRESSURE weighs",
          "/dev/input/event5 [] - not an evdev device; list the devices with `grampad devices`",
          "/dev/input/event10 [] ABS_MT_PRESSURE weighs",
          "chosen /dev/input/event4: its driver reports a resolution of 3 counts per gram",
        ])
    }

    @Test(arguments: [
      ("auto", "/dev/input/event4 Mock Stated Pad"),
      ("match:Mock Force Pad::", "/dev/input/event10 Mock Force Pad"),
      ("match::56a:", "/dev/input/event1 Mock Pen"),
      ("match:Mock Single Pad:6cb:cdef", "/dev/input/event2 Mock Single Pad"),
      ("/dev/input/by-id/usb-Mock-event-mouse", "/dev/input/event2 Mock Single Pad"),
      ("/dev/input/event1", "/dev/input/event1 Mock Pen"),
    ]) func thePadThatIsAskedFor(selector: String, found: String) throws {
      #expect(try Probe.run(["frames", "1", selector], among: Self.several).first == "found " + found)
    }
  }

  @Suite struct Appearing {
    @Test func aNodeThatIsPluggedInLater() throws {
      var pad = MockPad.protocolB(number: 3)
      pad.frames = [[.axis(.slot, 0), .axis(.trackingID, 1), .axis(.multitouchPressure, 12)]]
      let lines = try Probe.run(["frames", "2", "auto"], among: [.keyboard(), pad], hidden: pad) { line, devices in
        guard line.hasPrefix("waiting") else { return }
        try FileManager.default.moveItem(atPath: devices + "/away", toPath: devices + "/input/event3")
      }
      #expect(
        lines == [
          "waiting none of 1 input devices can weigh; see `grampad devices`", "found /dev/input/event3 Mock Force Pad",
          "frame after gap 0", "frame 12 1:12",
        ])
    }

    /// While another one weighs already: a link that udev makes is the user's word on which is the pad.
    @Test func aPadThatAUdevRuleNamesLater() throws {
      var other = MockPad.protocolB(number: 1, resolution: 3)
      other.frames = [[.axis(.slot, 0), .axis(.trackingID, 1), .axis(.multitouchPressure, 12)]]
      var named = MockPad.pen(number: 4)
      named.frames = [[.key(.touch, 1), .axis(.pressure, 34)]]
      let lines = try Probe.run(["frames", "4", "auto"], among: [other, named]) { line, devices in
        guard line == "frame 12 1:12" else { return }
        try FileManager.default.createSymbolicLink(atPath: devices + "/input/grampad", withDestinationPath: "event4")
      }
      #expect(
        lines == [
          "found /dev/input/event1 Mock Force Pad", "frame after gap 0", "frame 12 1:12",
          "lost /dev/input/event1: a udev rule selects another pad",
          "found /dev/input/event4 Mock Pen", "frame after gap 0", "frame 34 1:34",
        ])
    }

    @Test func aPadThatAUdevRuleNames() throws {
      var named = MockPad.singleTouch(number: 2)
      named.links = ["grampad"]
      let lines = try Probe.run(["survey", "auto"], among: [.protocolB(number: 1, resolution: 3), named])
      #expect(
        lines == [
          "/dev/input/event1 [] ABS_MT_PRESSURE weighs",
          "/dev/input/event2 [/dev/input/grampad] ABS_PRESSURE weighs",
          "chosen /dev/input/event2: selected by a udev rule",
        ])
    }

    /// The configured path is a link to a link, below directories that do not exist yet.
    @Test func aLinkInADirectoryThatIsMadeLater() throws {
      var pad = MockPad.singleTouch()
      pad.frames = [[.key(.touch, 1), .axis(.pressure, 12)]]
      let lines = try Probe.run(["frames", "2", "/dev/a/b/pad"], among: [pad]) { line, devices in
        guard line.hasPrefix("waiting") else { return }
        let files = FileManager.default
        try files.createDirectory(atPath: devices + "/a/b", withIntermediateDirectories: true)
        // In this order: umockdev does not show a link that leads nowhere. AppearanceWatchTests has the other order.
        try files.createSymbolicLink(atPath: devices + "/a/other", withDestinationPath: "../input/event0")
        try files.createSymbolicLink(atPath: devices + "/a/b/pad", withDestinationPath: "../other")
      }
      let reason = "no such device; connect it, or list the devices with `grampad devices`"
      #expect(
        lines == [
          "waiting /dev/a/b/pad: \(reason)", "found /dev/input/event0 Mock Single Pad",
          "frame after gap 0", "frame 12 1:12",
        ])
    }

    @Test func aNodeThatCannotWeighIsWaitedAt() throws {
      var keyboard = MockPad.keyboard()
      keyboard.links = ["by-id/pad"]
      let pads = [keyboard, MockPad.singleTouch(number: 1)]
      let lines = try Probe.run(["frames", "1", "/dev/input/by-id/pad"], among: pads) { line, devices in
        guard line.hasPrefix("waiting") else { return }
        let link = devices + "/input/by-id/pad"
        try FileManager.default.createSymbolicLink(atPath: link + ".new", withDestinationPath: "../event1")
        #expect(rename(link + ".new", link) == 0)
      }
      let reason = "no pressure axis (ABS_MT_PRESSURE or ABS_PRESSURE); specify another axis with pad.axis"
      #expect(
        lines == [
          "waiting /dev/input/event0: cannot weigh: \(reason)", "found /dev/input/event1 Mock Single Pad",
          "frame after gap 0",
        ])
    }
  }
}
