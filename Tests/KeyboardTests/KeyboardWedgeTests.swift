import Glibc
import Linux
import Logging
import Messages
import Synchronization
import Testing

@testable import Keyboard
@testable import Weighing

/// The keyboard without a kernel that has one; with one, see the case `keyboard` of the kernel tests.
@Suite struct KeyboardWedgeTests {
  /// However a character is typed, every key that goes down comes up, the modifiers around the key.
  @Test(arguments: KeyboardLayout.allCases)
  func releasesEveryKey(_ layout: KeyboardLayout) {
    for (character, stroke) in layout.strokes {
      var down: [KeyCode] = []
      var pressed: [(KeyCode, [KeyCode])] = []
      for report in stroke.reports {
        if report.isDown {
          if report.key == stroke.key { pressed.append((report.key, down)) }
          down.append(report.key)
        } else {
          #expect(down.popLast() == report.key, "\(layout) \(character)")
        }
      }
      #expect(down.isEmpty)
      #expect(pressed.count == 1)
      #expect(pressed.first?.1 == stroke.modifiers.keys)
    }
  }

  @Test func reportsWhyItCannotBeMade() {
    let states = Mutex<[Health.Keyboard]>([])
    let reported = Signal()
    let wedge = KeyboardWedge(
      .init(format: .standard, layout: .us), path: "/nonexistent/uinput",
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) { state in
      states.withLock { $0.append(state) }
      reported.raise()
    }
    wedge.start()
    #expect(reported.wait(milliseconds: 10_000))
    wedge.stop()
    let reason = KeyboardError(path: "/nonexistent/uinput", number: ENOENT).sentence
    #expect(states.withLock { $0 } == [.unavailable(reason)])
  }

  @Test func saysWhatToDoWithoutADevice() {
    #expect(throws: KeyboardError(path: "/nonexistent/uinput", number: ENOENT)) {
      _ = try UinputKeyboard(path: "/nonexistent/uinput")
    }
    // A file that is no device of uinput.
    #expect(throws: KeyboardError(path: "/dev/null", number: ENOTTY)) { _ = try UinputKeyboard(path: "/dev/null") }
    #expect(KeyboardError(path: "/dev/uinput", number: ENOENT).description.contains("load the kernel module uinput"))
    #expect(KeyboardError(path: "/dev/uinput", number: EACCES).description.contains("no permission for /dev/uinput"))
  }
}
