import Testing
import Weighing

/// Relabels, and what is told as the last weighing.
@Suite struct RelabelTests {
  /// A relabel needs a label, if only an empty one; and no pad.
  @Test(arguments: [("rye", "rye"), ("", nil), (nil, nil)] as [(String?, String?)])
  func aRelabelNeedsALabel(_ label: String?, _ recorded: String?) throws {
    var scale = HandFedScale(pad: nil)
    let other = WeighingID(time: scale.now, randomness: (1, 1))
    scale.handle(
      .request(ActionRequest(action: .relabel, label: label, reference: .id(other), source: .mqtt, identifier: 5)))
    var effects = scale.take()
    guard label != nil else {
      #expect(effects.rejections == [.badPayload] && effects.drafts.isEmpty)
      return
    }
    let draft = try #require(effects.drafts.first)
    #expect(draft.kind == .relabel(.id(other)) && draft.label == recorded)
    var record = CommitTests.record(draft, sequence: 2)
    record.amends = other
    scale.handle(.recorded(RecordOutcome(draft: draft, result: .success(record), subject: 5)))
    effects = scale.take()
    #expect(effects.weighings == [record] && effects.rejections == [nil])
    #expect(effects.events == [.relabelled(other, recorded, sequence: 5)])
  }

  @Test func aQuickActionRelabels() throws {
    var scale = HandFedScale(pad: nil)
    scale.change {
      $0.quickActions = [
        QuickAction(
          type: "rye", title: "Rye", run: .relabel, userInfo: [.init(name: "label", value: .text("rye flour"))])
      ]
    }
    _ = scale.take()
    scale.handle(.request(ActionRequest(name: "rye", source: .button)))
    let draft = try #require(scale.take().drafts.first)
    #expect(draft.kind == .relabel(.last) && draft.label == "rye flour")
  }

  /// What is newest after the record is the journal's to say.
  @Test func theLastWeighingIsToldWithEachRecord() throws {
    var scale = HandFedScale()
    scale.settle(200)
    scale.ask(.commit)
    let commit = try #require(scale.take().drafts.first)
    let first = CommitTests.record(commit, sequence: 1)
    scale.handle(.recorded(RecordOutcome(draft: commit, result: .success(first), last: first)))
    #expect(scale.take().contains(.lastWeighing(first, isHistorical: false, at: scale.now)))
    scale.ask(.void)
    let void = try #require(scale.take().drafts.first)
    let record = CommitTests.record(void, sequence: 2, voids: first.id)
    scale.handle(.recorded(RecordOutcome(draft: void, result: .success(record), last: nil)))
    #expect(scale.take().contains(.lastWeighing(nil, isHistorical: true, at: scale.now)))
  }
}
