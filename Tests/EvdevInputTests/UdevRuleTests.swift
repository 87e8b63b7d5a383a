import Testing
import Weighing

@testable import EvdevInput

extension Emulated {
  @Suite struct Rules {
    private static let pads: [MockPad] = {
      var lying = MockPad.singleTouch(number: 2)
      (lying.name, lying.unique) = ("Pad\", RUN+=\"x", "")
      var twin = MockPad.protocolB(number: 4, name: "Twin")
      twin.unique = ""
      var other = twin
      other.number = 5
      return [.keyboard(number: 0), .protocolB(number: 1), lying, twin, other]
    }()

    private static let start = "SUBSYSTEM==\"input\", ATTRS{id/vendor}==\"06cb\", ATTRS{id/product}==\"cdef\", "

    @Test(arguments: [
      ("/dev/input/event1", "ATTRS{name}==\"Mock Force Pad\", ATTRS{uniq}==\"mock-0001\""),
      ("Mock Force Pad", "ATTRS{name}==\"Mock Force Pad\", ATTRS{uniq}==\"mock-0001\""),
      ("/dev/input/event2", "ATTRS{name}==\"Pad?, RUN+=?x\""),
      ("/dev/input/event4", "ATTRS{name}==\"Twin\", ATTRS{phys}==\"mock/4\""),
      ("Twin", "ATTRS{name}==\"Twin\", ATTRS{phys}==\"mock/4\""),
      ("/dev/input/event5", "ATTRS{name}==\"Twin\", ATTRS{phys}==\"mock/5\""),
    ]) func ruleOf(device: String, conditions: String) throws {
      #expect(
        try Probe.run(["rule", device], among: Self.pads) == [Self.start + conditions + ", ENV{GRAMPAD_PAD}=\"1\""])
    }
  }
}
