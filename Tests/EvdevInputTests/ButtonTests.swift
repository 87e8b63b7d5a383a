import Foundation
import Testing
import Weighing

extension Emulated {
  @Suite struct Buttons {
    private static let enter = KeyCode(rawValue: 28)
    private static let space = KeyCode(rawValue: 57)

    private static func board(_ number: Int, name: String = "Mock Keys") -> MockPad {
      var board = MockPad.keyboard(number: number)
      board.name = name
      board.keys = [enter, space]
      return board
    }

    private static func press(_ key: KeyCode) -> [[MockPad.Event]] { [1, 2, 2, 0].map { [.key(key, $0)] } }

    @Test func pressedRepeatedAndReleased() throws {
      var board = Self.board(0)
      board.frames = Self.press(Self.enter) + Self.press(Self.space) + [[.key(.touch, 1)]]
      let lines = try Probe.run(["buttons", "4", "auto=KEY_ENTER=commit", "auto=KEY_SPACE=tare"], among: [board])
      #expect(
        lines == [
          "listens /dev/input/event0", "button 0 commit pressed", "button 0 commit released", "button 1 tare pressed",
          "button 1 tare released",
        ])
    }

    /// Of three devices the second has another name and the third no such key.
    @Test func theDeviceThatIsNamed() throws {
      var first = Self.board(0)
      first.frames = Self.press(Self.enter)
      first.links = ["by-id/keys"]
      var second = Self.board(1, name: "Mock Other Keys")
      second.frames = Self.press(Self.enter)
      let boards = [first, second, .singleTouch(number: 2)]
      for selector in ["match:Mock Keys::", "/dev/input/event0", "/dev/input/by-id/keys"] {
        #expect(
          try Probe.run(["buttons", "2", "\(selector)=KEY_ENTER=commit"], among: boards) == [
            "listens /dev/input/event0", "button 0 commit pressed", "button 0 commit released",
          ])
      }
    }

    @Test func twoDevicesAreTwoButtons() throws {
      let boards = [0, 1].map { number in
        var board = Self.board(number)
        board.frames = Self.press(Self.enter)
        return board
      }
      let lines = try Probe.run(["buttons", "4", "auto=KEY_ENTER=commit"], among: boards)
      #expect(lines.prefix(2) == ["listens /dev/input/event0", "listens /dev/input/event1"])
      for number in 0...1 {
        let its = lines.filter { $0.hasPrefix("button \(number)") }
        #expect(its == ["button \(number) commit pressed", "button \(number) commit released"])
      }
    }

    /// The keyboard that types the weighings is no button, however it is named; a real keyboard of that name is one.
    @Test func notTheKeyboardOfGrampad() throws {
      var typist = Self.board(0, name: WeighingKeyboard.name)
      typist.id = WeighingKeyboard.identity
      typist.frames = Self.press(Self.enter)
      var other = Self.board(1, name: WeighingKeyboard.name)
      other.frames = Self.press(Self.enter)
      for selector in ["auto", "match:\(WeighingKeyboard.name)::"] {
        let lines = try Probe.run(["buttons", "2", "\(selector)=KEY_ENTER=commit"], among: [typist, other])
        #expect(
          lines == ["listens /dev/input/event1", "button 0 commit pressed", "button 0 commit released"])
      }
    }

    @Test func aKeyThatIsDownFromTheStart() throws {
      var board = Self.board(0)
      board.held = [Self.enter]
      board.frames = [[.key(Self.enter, 2)], [.key(Self.enter, 0)]] + Self.press(Self.enter)
      let lines = try Probe.run(["buttons", "2", "auto=KEY_ENTER=commit"], among: [board])
      #expect(lines.dropFirst() == ["button 0 commit pressed", "button 0 commit released"])
    }

    /// Written by hand: umockdev never overruns.
    @Test func lostEvents() throws {
      var board = Self.board(0)
      board.frames = [[.key(Self.enter, 1)]]
      board.ending = [.synchronization(SynchronizationCode.dropped)]
      let lines = try Probe.run(["buttons", "2", "auto=KEY_ENTER=commit"], among: [board])
      #expect(lines.dropFirst() == ["button 0 commit pressed", "button 0 commit lost"])
    }

    @Test func aDeviceThatComesLater() throws {
      var later = Self.board(3)
      later.frames = Self.press(Self.enter)
      var first = Self.board(1)
      first.frames = [[.key(Self.enter, 1)]]
      let words = ["buttons", "3", "auto=KEY_ENTER=commit"]
      let lines = try Probe.run(words, among: [first, later], hidden: later) { line, devices in
        guard line == "button 0 commit pressed" else { return }
        try FileManager.default.moveItem(atPath: devices + "/away", toPath: devices + "/input/event3")
      }
      #expect(
        lines == [
          "listens /dev/input/event1", "button 0 commit pressed", "listens /dev/input/event3",
          "button 1 commit pressed", "button 1 commit released",
        ])
    }

    /// A key of the pad is reported only by the pad, even if it is bound on every device.
    @Test(arguments: ["auto", "match:Mock Single Pad::", "/dev/input/event0", "/dev/input/by-id/pad"])
    func aKeyOfThePadItself(selector: String) throws {
      var pad = MockPad.singleTouch()
      pad.links = ["by-id/pad"]
      pad.frames = [
        [.key(.touch, 1), .axis(.pressure, 100)], [.key(.touch, 0), .axis(.pressure, 0)],
      ]
      let lines = try Probe.run(["frames", "3", "auto", "ABS_PRESSURE", "\(selector)=BTN_TOUCH=commit"], among: [pad])
      #expect(
        lines.dropFirst() == [
          "frame after gap 0", "button -1 commit pressed", "frame 100 1:100", "button -1 commit released", "frame 0",
        ])
    }

    @Test func theEchoOfALightIsNoFrame() throws {
      var pad = MockPad.singleTouch()
      pad.lights = [0]
      let light = MockPad.Event(type: .led, code: 0, value: 1)
      pad.frames = [
        [light], [.key(.touch, 1), light, .axis(.pressure, 100)],
        [MockPad.Event(type: .sound, code: 2, value: 1000), MockPad.Event(type: .forceFeedback, code: 0, value: 1)],
        [.axis(.pressure, 101)],
      ]
      let lines = try Probe.run(["frames", "3", "auto"], among: [pad])
      #expect(lines.dropFirst() == ["frame after gap 0", "frame 100 1:100", "frame 101 1:101"])
    }
  }
}
