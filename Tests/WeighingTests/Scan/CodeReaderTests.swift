import Recordings
import Testing
import Weighing

/// Keys of scanners: a code is read whole or not at all.
@Suite struct CodeReaderTests {
  struct Course: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// `⏎` is Enter, `?` an unknown key, `!` a gap, `.` a pause of 150 ms and `_` one of 600 ms.
    var keys: String
    var codes: [String]
    var step = Interval.milliseconds(5)
  }

  @Test(arguments: [
    Course(testDescription: "a code", keys: "4006381333931⏎", codes: ["4006381333931"]),
    Course(testDescription: "two codes", keys: "abc⏎Ä€ 1⏎", codes: ["abc", "Ä€ 1"]),
    Course(testDescription: "an empty Enter", keys: "⏎⏎a⏎⏎", codes: ["a"]),
    Course(testDescription: "blanks", keys: "  ⏎a⏎", codes: ["a"]),
    Course(testDescription: "an unknown key before", keys: "?40⏎41⏎", codes: ["41"]),
    Course(testDescription: "an unknown key within", keys: "4?0⏎41⏎", codes: ["41"]),
    Course(testDescription: "an unknown key at the end", keys: "40?⏎41⏎", codes: ["41"]),
    Course(testDescription: "lost events within", keys: "4!0⏎41⏎", codes: ["41"]),
    Course(testDescription: "a control character", keys: "4\u{1}0⏎41⏎", codes: ["41"]),
    Course(testDescription: "a control character first", keys: "\u{7}40⏎41⏎", codes: ["41"]),
    Course(testDescription: "unknown keys between codes", keys: "40⏎??.41⏎!.42⏎", codes: ["40", "41", "42"]),
    Course(testDescription: "unplugged within a code", keys: "400638!_41⏎", codes: ["41"]),
    Course(testDescription: "unplugged before Enter", keys: "40!⏎41⏎", codes: ["41"]),
    Course(testDescription: "the slowest scanner", keys: "4006⏎", codes: ["4006"], step: CodeReader.longestPause),
    Course(testDescription: "slower than a scanner", keys: "4006⏎", codes: [], step: .milliseconds(101)),
    Course(testDescription: "a key pressed by hand before", keys: "4_006⏎", codes: ["006"]),
    Course(testDescription: "one hour", keys: "a⏎", codes: [], step: .seconds(3600)),
  ])
  func anUndisturbedCodeIsRead(_ course: Course) {
    #expect(Self.read(course.keys, step: course.step) == course.codes)
  }

  /// The rest of a code never counts as a code.
  @Test(arguments: [
    ("4006.381⏎41⏎", ["41"]), ("4006.381.333⏎41⏎", ["41"]), ("4006381.⏎41⏎", ["41"]), ("4006381_⏎41⏎", ["41"]),
    ("400.638_41⏎", ["41"]), ("4?0.06⏎41⏎", ["41"]), ("4!0.06⏎41⏎", ["41"]),
  ])
  func aCodeThatIsCutOffIsDropped(_ keys: String, _ codes: [String]) {
    #expect(Self.read(keys) == codes)
  }

  @Test(arguments: [(1, true), (128, true), (129, false), (5000, false)])
  func aCodeHas1To128Characters(_ count: Int, _ isRead: Bool) {
    let text = String(repeating: "x", count: count)
    #expect(Self.read(text + "⏎41⏎") == (isRead ? [text, "41"] : ["41"]))
    #expect((ScannedCode(text) != nil) == isRead)
  }

  /// 128 of these are 512 bytes, more than a label has.
  @Test func aCodeHasTheLengthOfALabel() {
    let wide = String(repeating: "𝟜", count: 64)
    #expect(Self.read(wide + "⏎" + wide + "𝟜⏎41⏎") == [wide, "41"])
  }

  private static func read(_ keys: String, step: Interval = .milliseconds(5)) -> [String] {
    var (reader, now, codes) = (CodeReader(), Instant(nanoseconds: 0), [String]())
    for key in keys {
      switch key {
      case ".": now = now + .milliseconds(150)
      case "_": now = now + .milliseconds(600)
      default:
        now = now + step
        let input: ScannerKey = key == "⏎" ? .enter : key == "?" ? .unknown : key == "!" ? .gap : .character(key)
        if let code = reader.receive(input, at: now) { codes.append(code.text) }
      }
    }
    return codes
  }

  /// 1,000 codes of two readers at once, some cut off, with noise between them: only whole codes, and all of them.
  @Test(arguments: UInt64(1)...20)
  func onlyWholeCodesAndAllOfThem(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var keys: [(reader: Int, key: ScannerKey, time: Instant)] = []
    var expected: [[String]] = [[], []]
    for reader in 0..<2 {
      var now = Instant(nanoseconds: Int64(random.next() % 1_000_000_000))
      func type(_ key: ScannerKey, after milliseconds: ClosedRange<Int>) {
        now = now + .milliseconds(.random(in: milliseconds, using: &random))
        keys.append((reader, key, now))
      }
      for number in 0..<500 {
        // No code is a part of another one.
        let text = "<\(reader).\(number)." + String(random.next(), radix: 36) + ">"
        let fate = random.next() % 8
        let cut = 1 + Int(random.next() % UInt64(text.count - 1))
        for (index, character) in text.enumerated() {
          if index == cut {
            if fate == 0 { type(.unknown, after: 1...50) }
            if fate == 1 { type(.gap, after: 1...50) }
            if fate == 2 { break }
          }
          type(.character(character), after: index == cut && fate == 3 ? 101...500 : 1...20)
        }
        switch fate {
        case 0, 1, 3: type(.enter, after: 1...100)
        case 2: break
        default:
          expected[reader].append(text)
          type(.enter, after: 1...100)
        }
        // Noise: whole presses by hand, and keys without a character.
        for _ in 0..<random.next() % 3 {
          type([.unknown, .gap, .character("7")].randomElement(using: &random) ?? .gap, after: 501...3000)
        }
        now = now + .milliseconds(501)
      }
    }
    var (readers, codes) = ([CodeReader(), CodeReader()], [[String]](repeating: [], count: 2))
    for (reader, key, time) in keys.sorted(by: { $0.time < $1.time }) {
      if let code = readers[reader].receive(key, at: time) { codes[reader].append(code.text) }
    }
    #expect(codes == expected && expected.joined().count > 400)
  }
}
