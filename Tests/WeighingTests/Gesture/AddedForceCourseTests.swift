import Testing
import Weighing

/// The courses of a press of added force that commit the load, another load, or nothing.
@Suite struct AddedForceCourseTests {
  struct Course: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var nets: [Int] = []
    var printable: String
    var happen: @Sendable (inout HandFedScale, Int) -> Void
  }

  @Test(
    arguments: [
      Course(testDescription: "too short", printable: "100 g") { $0.press(on: $1, for: .milliseconds(350)) },
      Course(testDescription: "too weak", printable: "100 g") { scale, base in
        scale.press(on: base, by: 330, for: .milliseconds(200))
      },
      Course(testDescription: "the second too short", printable: "100 g") { scale, base in
        scale.press(on: base)
        scale.wait(.milliseconds(200))
        scale.press(on: base, for: .milliseconds(200))
      },
      Course(testDescription: "the first too short", printable: "100 g") { scale, base in
        scale.press(on: base, for: .milliseconds(200))
        scale.wait(.milliseconds(200))
        scale.press(on: base)
      },
      Course(testDescription: "the second held too long", printable: "100 g") { scale, base in
        scale.press(on: base)
        scale.wait(.milliseconds(200))
        for step in 0..<30 {
          scale.frame(base + (step % 2 == 0 ? 360 : 380))
          scale.wait(.milliseconds(100))
        }
        scale.frame(base)
      },
      Course(testDescription: "a touch after the press", nets: [100], printable: "100 g") { scale, base in
        scale.press(on: base)
        scale.wait(.milliseconds(200))
        scale.press(on: base, by: 120, for: .milliseconds(200))
      },
      Course(testDescription: "the second too short, without letting go", printable: "100 g") { scale, base in
        scale.press(on: base)
        scale.frame(base + 100)
        scale.wait(.milliseconds(40))
        scale.press(on: base + 100, by: 250, for: .milliseconds(200))
        scale.frame(base)
      },
      Course(testDescription: "one wrong sample during the press", nets: [100], printable: "100 g") { scale, base in
        scale.frame(base + 346)
        scale.wait(.milliseconds(600))
        scale.frame(base + 50)
        scale.wait(HandFedScale.period)
        scale.frame(base + 346)
        scale.wait(.milliseconds(200))
        scale.frame(base)
      },
      Course(testDescription: "the second is a load", nets: [200], printable: "200 g") { scale, base in
        scale.press(on: base)
        scale.wait(.milliseconds(200))
        scale.frame(base + 200)
      },
      Course(testDescription: "the second stays", nets: [273], printable: "273 g") { scale, base in
        scale.press(on: base)
        scale.wait(.milliseconds(200))
        scale.frame(base + 346)
      },
      Course(testDescription: "lifted right after", nets: [100], printable: "0 g") { scale, base in
        scale.press(on: base)
        scale.wait(.milliseconds(50))
        scale.frame(base - 200)
        scale.wait(.milliseconds(20))
      },
      Course(testDescription: "swapped during the press", nets: [108], printable: "108 g") { scale, base in
        scale.frame(base + 346)
        scale.wait(.milliseconds(600))
        scale.frame(base + 16)
      },
      Course(testDescription: "swapped while a second press may follow", nets: [110], printable: "110 g") {
        scale, base in
        scale.press(on: base)
        scale.wait(.milliseconds(200))
        scale.frame(base + 20)
      },
      Course(testDescription: "a little taken away while a second press may follow", nets: [95], printable: "95 g") {
        scale, base in
        scale.press(on: base)
        scale.wait(.milliseconds(200))
        scale.frame(base - 10)
      },
      Course(testDescription: "swapped and lifted right after", printable: "0 g") { scale, base in
        scale.frame(base + 346)
        scale.wait(.milliseconds(600))
        scale.frame(base + 16)
        scale.wait(.milliseconds(300))
        scale.frame(base - 200)
      },
      Course(testDescription: "a load that grows and stays", printable: "273 g") { $0.frame($1 + 346) },
      Course(testDescription: "held too long", printable: "100 g") { $0.press(on: $1, for: .milliseconds(2600)) },
      Course(testDescription: "falls to another load", printable: "130 g") { scale, base in
        scale.press(on: base)
        scale.frame(base + 60)
      },
      Course(testDescription: "a gap", printable: "100 g") { scale, base in
        scale.frame(base + 346)
        scale.wait(.milliseconds(600))
        scale.frame(base + 346, gap: true)
        scale.wait(.milliseconds(20))
        scale.frame(base)
      },
      Course(testDescription: "lifted with all through the level of the load", printable: "0 g") { scale, base in
        scale.frame(base + 346)
        scale.wait(.milliseconds(600))
        for counts in [base + 200, base, base, base, base - 100, base - 200] {
          scale.frame(counts)
          scale.wait(HandFedScale.period)
        }
      },
    ], ScaleSettings.Surface.allCases)
  func whatHappens(_ course: Course, _ surface: ScaleSettings.Surface) {
    var (scale, base) = AddedForceTests.loaded(surface)
    course.happen(&scale, base)
    // A load of nothing on a plain pad is a frame without contacts.
    if course.printable == "0 g", surface == .contacts { scale.frame() }
    scale.wait(.seconds(5))
    let effects = scale.take()
    #expect(effects.nets == course.nets && effects.tares.isEmpty)
    #expect(effects.gestures.last?.state == .idle)
    #expect(scale.reading.printable == course.printable)
    #expect(scale.machine.isAtRest == course.nets.isEmpty, "a record is on its way")
  }
}
