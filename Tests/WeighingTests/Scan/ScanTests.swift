import Recordings
import Testing
import Weighing

/// Codes of scanners: the label of the next weighing, a tare, a target, and records by a scan.
@Suite struct ScanTests {
  private static let beans = "4006381333931"

  private static func settings(_ change: (inout ScaleSettings) -> Void = { _ in }) throws -> ScaleSettings {
    var settings = ScaleSettings()
    let jug = try #require(ContainerName("jug"))
    settings.containers = [Container(name: jug, tare: Grams(20), isConfigured: true)]
    settings.scanning.codes = [
      CodeMeaning(code: try code(beans), label: "beans", container: jug, target: Grams(18)),
      CodeMeaning(code: try code("rye"), label: "Rye flour"), CodeMeaning(code: try code("jug"), container: jug),
      CodeMeaning(code: try code("pot"), label: "soup", container: ContainerName("pot")),
      CodeMeaning(code: try code("heavy"), target: Grams(500)),
    ]
    change(&settings)
    return settings
  }

  private static func code(_ text: String) throws -> ScannedCode { try #require(ScannedCode(text)) }

  /// A scale with a load of 100 g at rest.
  private static func loaded(_ change: (inout ScaleSettings) -> Void = { _ in }) throws -> HandFedScale {
    var scale = HandFedScale(try settings(change))
    scale.settle(200)
    _ = scale.take()
    return scale
  }

  private static func pending(_ scale: HandFedScale) -> String? { scale.machine.pendingLabel }

  /// The labels that readings were to carry from then on, each followed by such a reading.
  private static func published(_ effects: [Effect]) -> [String?] {
    effects.indices.compactMap { index in
      guard case .pendingLabel(let label, _) = effects[index], !Array(effects[index...]).live.isEmpty else {
        return nil
      }
      return .some(label)
    }
  }

  // MARK: The label

  @Test(arguments: [("12345", "12345"), ("rye", "Rye flour")])
  func aCodeLabelsTheNextWeighing(_ text: String, _ label: String) throws {
    var scale = try Self.loaded()
    scale.handle(.scanned(try Self.code(text)))
    #expect(Self.pending(scale) == label)
    var effects = scale.take()
    #expect(effects.events == [.scanned(CodeMeaning(code: try Self.code(text), label: label))])
    #expect(effects.drafts.isEmpty && !scale.machine.isAtRest)
    scale.wait(.seconds(2))
    effects += scale.take()
    #expect(Self.published(effects) == [label], "the readings carry it")
    scale.ask(.commit)
    scale.ask(.commit)
    #expect(Self.pending(scale) == nil)
    scale.wait(.seconds(2))
    effects = scale.take()
    #expect(effects.drafts.map(\.label) == [label, nil])
    #expect(Self.published(effects) == [nil], "the readings carry none")
  }

  @Test(arguments: [ActionSource.pad, .button, .auto, .mqtt, .dashboard, .sics, .commandLine])
  func everySourceUsesTheLabel(_ source: ActionSource) throws {
    var scale = try Self.loaded()
    scale.handle(.scanned(try Self.code("rye")))
    scale.handle(.request(ActionRequest(action: .commit, source: source)))
    #expect(scale.take().drafts.map(\.label) == ["Rye flour"])
  }

  /// A label of its own, or none on purpose, is for that weighing alone.
  @Test(arguments: [("wheat", "wheat"), ("", nil)])
  func anExplicitLabelLeavesTheScannedOne(_ explicit: String, _ label: String?) throws {
    var scale = try Self.loaded {
      $0.quickActions = [
        QuickAction(type: "q", title: "Q", userInfo: [.init(name: "label", value: .text("quick"))])
      ]
    }
    scale.handle(.scanned(try Self.code("rye")))
    scale.handle(.request(ActionRequest(action: .commit, label: explicit, source: .mqtt)))
    scale.handle(.request(ActionRequest(name: "q", source: .mqtt)))
    scale.ask(.void)
    scale.handle(.request(ActionRequest(action: .relabel, label: "oats", source: .mqtt)))
    #expect(scale.take().drafts.map(\.label) == [label, "quick", nil, "oats"] && Self.pending(scale) == "Rye flour")
    scale.ask(.commit)
    #expect(scale.take().drafts.map(\.label) == ["Rye flour"])
  }

  @Test func aNewCodeReplacesTheLabel() throws {
    var scale = try Self.loaded()
    scale.handle(.scanned(try Self.code("1")))
    scale.wait(.seconds(59))
    scale.handle(.scanned(try Self.code("2")))
    scale.handle(.scanned(try Self.code("jug")))
    #expect(Self.pending(scale) == "2", "a code without a label leaves it")
    scale.wait(.seconds(59))
    scale.ask(.commit)
    #expect(scale.take().drafts.map(\.label) == ["2"])
  }

  @Test(arguments: [(1, false), (60, false), (60, true), (3600, true)])
  func theLabelExpires(_ seconds: Int, _ isLost: Bool) throws {
    var scale = try Self.loaded { $0.scanning.hold = .milliseconds(seconds * 1000) }
    scale.handle(.scanned(try Self.code("1")))
    if isLost { scale.handle(.padLost("unplugged")) }
    scale.wait(.milliseconds(seconds * 1000 - 1))
    #expect(Self.pending(scale) == "1")
    _ = scale.take()
    scale.wait(.milliseconds(1))
    #expect(Self.pending(scale) == nil && scale.reading.instruments == nil)
    scale.wait(.seconds(2))
    #expect(scale.take().live.last.map { $0.instruments == nil } == true && scale.machine.isAtRest)
  }

  @Test func aRequestThatWaitsForTheLoadGetsTheLabel() throws {
    var scale = HandFedScale(try Self.settings())
    scale.frame(200)
    scale.ask(.commit)
    scale.handle(.scanned(try Self.code("rye")))
    scale.wait(.seconds(1))
    #expect(scale.take().drafts.map(\.label) == ["Rye flour"])
  }

  // MARK: Rejected records

  @Test(arguments: [0, 2, 900])
  func aRejectedCommitKeepsTheLabel(_ counts: Int) throws {
    var scale = HandFedScale(try Self.settings())
    if counts > 0 { scale.settle(counts) }
    scale.handle(.scanned(try Self.code("rye")))
    scale.ask(.commit)
    let effects = scale.take()
    #expect(effects.drafts.isEmpty && effects.rejections.count == 1 && Self.pending(scale) == "Rye flour")
  }

  /// The journal fails after another code, before and after the label has expired.
  @Test(arguments: [(nil, 1, "Rye flour"), ("2", 1, "2"), (nil, 60, nil)] as [(String?, Int, String?)])
  func aLabelWaitsAgainIfTheJournalFails(_ next: String?, _ seconds: Int, _ label: String?) throws {
    var scale = try Self.loaded()
    scale.handle(.scanned(try Self.code("rye")))
    scale.ask(.commit)
    let draft = try #require(scale.take().drafts.first)
    #expect(Self.pending(scale) == nil)
    if let next { scale.handle(.scanned(try Self.code(next))) }
    scale.wait(.milliseconds(seconds * 1000 - 1))
    scale.wait(.milliseconds(1))
    scale.handle(.recorded(RecordOutcome(draft: draft, result: .failure(.journalUnavailable))))
    #expect(Self.pending(scale) == label)
  }

  // MARK: Container and target

  @Test func aCodeSetsTareAndTarget() throws {
    var scale = HandFedScale(try Self.settings())
    scale.handle(.scanned(try Self.code(Self.beans)))
    let jug = ContainerName("jug")
    let effects = scale.take()
    #expect(effects.rejections == [nil, nil] && effects.results.allSatisfy { $0.request.source == .button })
    #expect(effects.events.contains(.tared(DisplayedMass(steps: 20, division: .gram), container: jug)))
    let instruments = try #require(scale.reading.instruments)
    #expect(instruments.container == jug && instruments.target?.mass == Grams(18) && Self.pending(scale) == "beans")
  }

  /// A part that cannot be done is rejected like any request, and the others are done.
  @Test func aPartThatFailsLeavesTheOthers() throws {
    var scale = HandFedScale(try Self.settings())
    scale.handle(.padLost("unplugged"))
    for text in ["pot", "heavy", Self.beans] { scale.handle(.scanned(try Self.code(text))) }
    #expect(scale.take().rejections == [.padMissing, .badPayload, .padMissing, nil])
    #expect(Self.pending(scale) == "beans" && scale.reading.instruments?.target?.mass == Grams(18))
    scale.handle(.padFound(.slots()))
    scale.handle(.scanned(try Self.code("pot")))
    #expect(scale.take().rejections == [.unknownContainer] && Self.pending(scale) == "soup")
  }

  // MARK: Records by a scan

  struct Load: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text = "rye"
    /// The net that is recorded at once, in divisions.
    var net: Int?
    var prepare: @Sendable (inout HandFedScale) -> Void
  }

  @Test(arguments: [
    Load(testDescription: "at rest", net: 100) { $0.settle(200) },
    Load(testDescription: "net of its container", text: beans, net: 80) { $0.settle(200) },
    Load(testDescription: "an empty container", text: beans) { $0.settle(40) },
    Load(testDescription: "an unknown container", text: "pot") { $0.settle(200) },
    Load(testDescription: "a code without a label", text: "jug") { $0.settle(200) },
    Load(testDescription: "below the minimum") { $0.settle(2) },
    Load(testDescription: "moving") { $0.frame(200) },
    Load(testDescription: "changed just now") {
      $0.settle(200)
      $0.frame(400)
    },
    Load(testDescription: "overload") { $0.settle(900) }, Load(testDescription: "nothing") { _ in },
    Load(testDescription: "no pad") { $0.handle(.padLost("unplugged")) },
  ])
  func aScanRecordsALoadAtRest(_ load: Load) throws {
    var scale = HandFedScale(try Self.settings { $0.scanning.commits = true })
    load.prepare(&scale)
    _ = scale.take()
    let code = try Self.code(load.text)
    scale.handle(.scanned(code))
    let effects = scale.take()
    let label = scale.machine.settings.scanning.codes.first { $0.code == code }?.label
    #expect(effects.nets == (load.net.map { [$0] } ?? []))
    #expect(effects.drafts.allSatisfy { $0.label == label && $0.request.source == .button })
    #expect(Self.pending(scale) == (load.net == nil ? label : nil))
    #expect(!effects.results.contains { $0.request.name == "commit" }, "a load that is not recorded is no error")
    scale.settle(300)
    #expect(scale.take().drafts.isEmpty, "the label waits for a commit")
  }

  @Test func aScanLeavesTheRecordToACommitThatWaits() throws {
    var scale = HandFedScale(try Self.settings { $0.scanning.commits = true })
    scale.frame(200)
    scale.ask(.commit)
    scale.handle(.scanned(try Self.code("rye")))
    scale.wait(.seconds(1))
    #expect(scale.take().drafts.map(\.label) == ["Rye flour"])
  }
}
