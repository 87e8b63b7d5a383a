import Recordings
import Testing
import Weighing

@Suite struct EvemuPropertyTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func readsWhatWasWritten(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pad = Self.pad(&random)
    var time: Int64 = 0
    let events = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      time += Int64.random(in: 0...3_000_000, using: &random)
      return EvemuSamples.event(
        time, EventType(rawValue: .random(in: 0...0x1f, using: &random)), .random(in: 0...0x2ff, using: &random),
        .random(in: .min ... .max, using: &random))
    }
    var writer = EvemuWriter()
    var text: [UInt8] = []
    writer.append(pad, remarks: ["Kernel: 6.1.0"], to: &text)
    for event in events { writer.append(event, to: &text) }
    #expect(try EvemuReader.recording(from: text) == Recording(description: pad, events: events))
  }

  /// Whatever is done to a good file, it is read or refused with one of its lines.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func survivesAnything(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let good = Array((EvemuSamples.header + EvemuSamples.events).utf8)
    let pieces: [[UInt8]] = ["99999999999999999999", "\n", "\r\n", "#", "-", "E: ", "B: 01", "ffff", "\u{0}", ".", " "]
      .map { Array($0.utf8) }
    for _ in 0..<600 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...30, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: place)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        case 4 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
        case 5 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes.append(.random(in: 0...255, using: &random))
        }
      }
      let lines = bytes.count { $0 == 0x0a } + 1
      do throws(EvemuError) {
        let recording = try EvemuReader.recording(from: bytes)
        #expect(zip(recording.events, recording.events.dropFirst()).allSatisfy { $0.time <= $1.time })
      } catch {
        #expect((1...lines).contains(error.line), "\(error)")
      }
    }
  }

  /// Cut anywhere within its events, a file is refused, unless the cut falls between two lines, or leaves at most the
  /// comment of a line out that ends a frame.
  @Test func noticesEveryCutWithinALine() {
    let text = EvemuSamples.header + EvemuSamples.events
    let bytes = Array(text.utf8)
    for end in EvemuSamples.header.utf8.count + 1..<bytes.count {
      let cut = Array(bytes[..<end])
      let last = cut.suffix { $0 != 0x0a }
      let isWhole = last.isEmpty || String(decoding: last, as: UTF8.self).contains(#/^E: \S+ 0000 0000 0+\t?$/#)
      let error: EvemuError?
      do throws(EvemuError) {
        _ = try EvemuReader.recording(from: cut)
        error = nil
      } catch {
        #expect(error.line == cut.count { $0 == 0x0a } + 1)
        #expect(!isWhole)
        continue
      }
      #expect(isWhole && error == nil)
    }
  }

  static func pad(_ random: inout SplitMix64) -> PadDescription {
    func codes(below end: UInt16, _ random: inout SplitMix64) -> Set<UInt16> {
      Set((0..<Int.random(in: 1...20, using: &random)).map { _ in .random(in: 0..<end, using: &random) })
    }
    var pad = PadDescription(name: "")
    let letters = Array("abc XYZ \"#:é秤 ")
    pad.name = String(
      (0..<Int.random(in: 0...30, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    pad.name = String(pad.name.drop { $0 == " " })
    pad.id = PadIdentity(
      bus: .random(in: 0 ... .max, using: &random), vendor: .random(in: 0 ... .max, using: &random),
      product: .random(in: 0 ... .max, using: &random), version: .random(in: 0 ... .max, using: &random))
    for code in codes(below: 0x40, &random) {
      let (a, b) = (Int32.random(in: .min ... .max, using: &random), Int32.random(in: .min ... .max, using: &random))
      pad.axes[AxisCode(rawValue: code)] = AxisRange(
        minimum: min(a, b), maximum: max(a, b), fuzz: .random(in: 0...9, using: &random),
        flat: .random(in: -9...9, using: &random), resolution: .random(in: 0...40, using: &random))
    }
    pad.keys = Set(codes(below: 0x300, &random).map(KeyCode.init(rawValue:)))
    pad.properties = codes(below: 0x40, &random)
    for type: EventType in [.relative, .miscellaneous, .led, .sound, .forceFeedback, EventType(rawValue: 0x16)] {
      if Bool.random(using: &random) { pad.otherCodes[type] = codes(below: 0x80, &random) }
    }
    return pad
  }
}

extension [UInt8] {
  fileprivate func suffix(while holds: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[((lastIndex { !holds($0) }) ?? -1) + 1..<count]
  }
}
