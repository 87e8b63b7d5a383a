import Languages
import Linux
import Testing
import Weighing

@testable import Capture

/// Observing a pad for a diagnosis.
@Suite struct PadSamplerTests {
  /// A pad that reports what it is told.
  private final class Source: PadSource {
    var events: [PadEvent]
    let descriptor: Int32? = nil
    var nextDeadline: Instant? { events.isEmpty ? nil : .now() }

    init(_ events: [PadEvent]) { self.events = events }

    func process(at now: Instant, _ body: (PadEvent) -> Void) {
      if !events.isEmpty { body(events.removeFirst()) }
    }
    func show(_: Feedback) {}
  }

  private static let pad = PadDescription(
    name: "Pad", axes: [.pressure: AxisRange(minimum: 0, maximum: 4095)], keys: [.touch])

  private static func frame(_ counts: UInt32) -> Frame {
    let contact = Contact(serial: 1, position: nil, origin: nil, raw: RawForce(Int(counts)), isAtMaximum: false)
    return Frame(time: .now(), contacts: [contact])
  }

  @Test func withoutAPadTheReasonIsTold() {
    var sampler = PadSampler(settings: ScaleSettings())
    let stop = Signal()
    stop.raise()
    let reason = Sentence.verbatim("in use")
    #expect(throws: PadSampler.SamplingError.noPad(reason)) {
      try sampler.observe(Source([.waiting(reason: reason)]), for: .seconds(1), until: stop)
    }
  }

  @Test func aPadThatIsLostHasADiagnosisUpToThen() throws {
    var sampler = PadSampler(settings: ScaleSettings())
    let loss = Sentence.verbatim("unplugged")
    let source = Source([
      .found(Self.pad, path: "/dev/input/event7"), .frame(Self.frame(100)), .frame(Self.frame(101)),
      .lost(reason: loss),
      .frame(Self.frame(102)),
    ])
    let outcome = try sampler.observe(source, for: .seconds(60), until: Signal())
    #expect(outcome.loss == loss && outcome.path == "/dev/input/event7" && outcome.diagnosis.samples == 2)
  }

  @Test func aPadThatCannotWeighIsRefused() {
    var sampler = PadSampler(settings: ScaleSettings())
    let source = Source([.found(PadDescription(name: "Keyboard"), path: "x"), .lost(reason: .verbatim("gone"))])
    #expect(throws: PadSampler.SamplingError.unsuitable(.noPressureAxis)) {
      try sampler.observe(source, for: .seconds(60), until: Signal())
    }
  }

  /// Each finding says what to do, in each language, with all its values.
  @Test func everyFindingHasAdvice() throws {
    let source = Source([.found(Self.pad, path: "x"), .frame(Self.frame(9)), .lost(reason: .verbatim("gone"))])
    var sampler = PadSampler(settings: ScaleSettings())
    let diagnosis = try sampler.observe(source, for: .seconds(60), until: Signal()).diagnosis
    for language in Language.allCases {
      let advice = DiagnosisFinding.allCases.map { Texts.of(language)(diagnosis.advice($0)) }
      #expect(Set(advice).count == advice.count)
      #expect(advice.allSatisfy { !$0.isEmpty && !$0.contains("{") }, "\(language): \(advice)")
    }
  }
}
