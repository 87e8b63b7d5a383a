import Foundation
import Messages
import Testing

@testable import Weighing

/// Events, results, contacts and health as the contract has them.
@Suite struct EventPayloadTests {
  private func messages(_ effect: Effect) -> [Message] {
    var composer = Sample.composer()
    return composer.messages(for: effect)
  }

  struct Event: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var kind: ScaleEvent.Kind
    var rest: String = ""
  }

  @Test(arguments: [
    Event(
      testDescription: "tared", kind: .tared(DisplayedMass(steps: 27, division: .gram)), rest: #""tare_g":27,"#),
    Event(testDescription: "tare_cleared", kind: .tareCleared),
    Event(
      testDescription: "zeroed", kind: .zeroed(DisplayedMass(steps: -30, division: .gram)), rest: #""zeroed_g":-30,"#),
    Event(
      testDescription: "rejected", kind: .rejected("clear_tare", .noTare, .noTare),
      rest: """
        "action":"clear_tare","reason":"no_tare",\
        "detail":"no tare is set","detail_key":"reason_no_tare","detail_values":{},
        """),
    Event(
      testDescription: "rejected", kind: .rejected("count", .belowMinimum, .sampleTooSmall(pieces: 14)),
      rest: """
        "action":"count","reason":"below_minimum","detail":"the sample is too small; use at least 14 pieces",\
        "detail_key":"detail_sample_too_small","detail_values":{"pieces":"14"},
        """),
    Event(
      testDescription: "voided", kind: .voided(Sample.record.id, sequence: 7),
      rest: #""id":"00e8d4a5-107b-7123-8123-456789abcdef","sequence":7,"#),
    Event(
      testDescription: "relabelled", kind: .relabelled(Sample.record.id, "rye", sequence: 7),
      rest: #""id":"00e8d4a5-107b-7123-8123-456789abcdef","sequence":7,"label":"rye","#),
    Event(
      testDescription: "relabelled", kind: .relabelled(Sample.record.id, nil),
      rest: #""id":"00e8d4a5-107b-7123-8123-456789abcdef","label":null,"#),
    Event(
      testDescription: "recalled", kind: .recalled(Sample.record),
      rest: #""weighing":\#(Sample.text { $0.weighing(Sample.record, historical: true) }),"#),
    Event(
      testDescription: "scanned",
      kind: .scanned(
        CodeMeaning(code: Sample.code, label: "beans", container: ContainerName("jug"), target: Grams(18))),
      rest: #""code":"40\"63","label":"beans","container":"jug","target_g":18,"#),
    Event(
      testDescription: "scanned", kind: .scanned(CodeMeaning(code: Sample.code, target: Grams(0.25))),
      rest: #""code":"40\"63","target_g":0.25,"#),
    Event(testDescription: "overload", kind: .overload),
    Event(testDescription: "journal_loss", kind: .journalLoss(from: 101, to: 208), rest: #""from":101,"to":208,"#),
    Event(
      testDescription: "journal_recovered", kind: .journalRecovered(Sample.record.id, sequence: 7),
      rest: #""id":"00e8d4a5-107b-7123-8123-456789abcdef","sequence":7,"#),
    Event(testDescription: "pad_suspect", kind: .padSuspect(.noSignal), rest: #""reason":"no_signal","#),
    Event(
      testDescription: "pad_lost", kind: .padLost(.reported(.verbatim("it \"left\""))),
      rest: #""reason":"it \"left\"","reason_key":"verbatim","reason_values":{"text":"it \"left\""},"#),
    Event(testDescription: "pad_found", kind: .padFound("Pad"), rest: #""name":"Pad","#),
    Event(
      testDescription: "pairing_requested", kind: .pairing(Sample.phone, .requested),
      rest: #""name":"Anna's phone","address":"192.168.1.7","#),
    Event(
      testDescription: "pairing_granted", kind: .pairing(Sample.phone, .granted),
      rest: #""name":"Anna's phone","address":"192.168.1.7","#),
    Event(
      testDescription: "pairing_refused", kind: .pairing(Sample.phone, .refused(.timedOut)),
      rest: #""name":"Anna's phone","address":"192.168.1.7","reason":"timed_out","#),
    Event(testDescription: "timer_started", kind: .timerStarted(.zero), rest: #""timer_s":0,"#),
    Event(
      testDescription: "timer_started", kind: .timerStarted(.seconds(1.25), pours: 1),
      rest: #""timer_s":1.25,"pours":1,"#),
    Event(
      testDescription: "timer_started", kind: .timerStarted(.seconds(41.5), pours: 2, pause: .seconds(30)),
      rest: #""timer_s":41.5,"pours":2,"pause_s":30,"#),
    Event(testDescription: "timer_stopped", kind: .timerStopped(.seconds(2)), rest: #""timer_s":2,"#),
    Event(
      testDescription: "timer_stopped", kind: .timerStopped(.seconds(10), pours: 1), rest: #""timer_s":10,"pours":1,"#),
    Event(
      testDescription: "timer_stopped", kind: .timerStopped(.seconds(65.125), pours: 2, isAmended: true),
      rest: #""timer_s":65.125,"pours":2,"amended":true,"#),
    Event(
      testDescription: "target_stop",
      kind: .targetStop(
        TargetStop(target: Grams(18), net: Grams(16.9004), predicted: Grams(18.02), flow: 1.83, label: "beans")),
      rest: #""target_g":18,"net_g":16.9,"predicted_g":18.02,"flow_g_s":1.83,"label":"beans","#),
    Event(
      testDescription: "dose_started", kind: .doseStarted(RunningDose(dose: Sample.dose, label: "")),
      rest: #""output":"grinder","target_g":18,"#),
    Event(
      testDescription: "dosed",
      kind: .dosed(
        FinishedDose(dose: Sample.dose, label: "beans", reason: .reached, result: Grams(18.031), learning: .learned)),
      rest:
        #""output":"grinder","target_g":18,"label":"beans","result_g":18.031,"error_g":0.031,"reason":"reached","learned":true,"#
    ),
    Event(
      testDescription: "dosed",
      kind: .dosed(
        FinishedDose(dose: Sample.dose, label: "", reason: .reached, result: Grams(18), learning: .outlier)),
      rest:
        #""output":"grinder","target_g":18,"result_g":18,"error_g":0,"reason":"reached","learned":false,"outlier":true,"#
    ),
    Event(
      testDescription: "dosed",
      kind: .dosed(FinishedDose(dose: Sample.dose, label: "", reason: .padLost, result: nil, learning: .nothing)),
      rest: #""output":"grinder","target_g":18,"result_g":null,"error_g":null,"reason":"pad_lost","learned":false,"#),
    Event(testDescription: "calibrated", kind: .calibrated),
    Event(testDescription: "reloaded", kind: .reloaded),
  ])
  func anEventHasItsTypeAndItsTime(_ event: Event) throws {
    let sent = messages(.event(ScaleEvent(kind: event.kind, time: Sample.time, tareEpoch: 3)))
    #expect(sent.map(\.topic) == ["grampad/kitchen/event"])
    #expect(
      sent.first?.text
        == #"{"type":"\#(event.testDescription)","time":"\#(Sample.timeText)",\#(event.rest)"tare_epoch":3}"#)
    #expect(throws: Never.self) { try sent.first?.object() }
  }

  static let resultFields: Set = [
    "action", "ok", "reason", "detail", "correlation", "source", "time", "reading", "weighing",
  ]

  @Test(arguments: Rejection.allCases.map(Optional.some) + [nil])
  func aResultSaysWhatBecameOfTheRequest(_ rejection: Rejection?) throws {
    let request = ActionRequest(action: .tare, source: .commandLine, identifier: 9)
    let result = ActionResult(request: request, rejection: rejection, time: Sample.time, reading: Sample.settled())
    let json = try #require(messages(.result(result)).first).object()
    #expect(Set(json.keys) == Self.resultFields)
    #expect(json["weighing"] is NSNull && json["detail"] is NSNull)
    #expect(json["action"] as? String == "tare")
    #expect(json["ok"] as? Bool == (rejection == nil))
    #expect(json["reason"] as? String == rejection?.rawValue)
    #expect(json["correlation"] is NSNull)
    #expect(json["source"] as? String == "command_line")
    #expect(json["time"] as? String == Sample.timeText)
    #expect(Set((json["reading"] as? [String: Any] ?? [:]).keys) == ReadingPayloadTests.fields)
  }

  @Test func theNamesAreThoseOfTheContract() {
    #expect(
      Set(Action.allCases.map(\.rawValue)) == [
        "tare", "clear_tare", "zero", "commit", "void", "relabel", "timer", "target", "count", "container",
        "dose",
      ])
    #expect(
      Set(ActionSource.allCases.map(\.rawValue)) == [
        "pad", "button", "mqtt", "command_line", "dashboard", "start", "auto", "sics",
      ])
    #expect(
      Set(Rejection.allCases.map(\.rawValue) + CommandError.allCases.map(\.rawValue)) == [
        "unstable", "overload", "empty", "below_minimum", "pad_missing", "no_tare", "nothing_to_void",
        "journal_unavailable", "unknown_action", "bad_payload", "retained", "expired", "busy",
        "unknown_weighing", "unknown_container", "unknown_output", "at_target", "broker_unavailable",
      ])
    #expect(
      Set(GestureReport.State.allCases.map(\.rawValue)) == [
        "idle", "updating", "selected", "confirmed", "unavailable",
      ])
  }

  @Test func contactsAreListed() throws {
    var settings = ScaleSettings()
    settings.publish.contacts = true
    var machine = Sample.machine()
    _ = machine.handle(.settings(settings), at: Sample.time)
    let effects = machine.handle(Sample.frame(1250, 2500), at: Sample.time)
    let report = try #require(effects.first { if case .contacts = $0 { true } else { false } })
    #expect(
      messages(report).first?.text == """
        {"time":"\(Sample.timeText)","contacts":[\
        {"x":null,"y":null,"force":0.25,"raw":1250,"weighs":true},\
        {"x":null,"y":null,"force":0.5,"raw":2500,"weighs":true}]}
        """)
  }
}
