import Languages
import Testing

@testable import Weighing

/// Each rejection names the limit that the request has hit, on `result` and in the event alike.
@Suite struct RejectionDetailTests {
  struct Rejected: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var reason: Rejection
    var detail: RejectionDetail
    var text: String
    var ask: @Sendable (inout HandFedScale) -> Void
  }

  private static let id = WeighingID(time: Instant(nanoseconds: 0), randomness: (1, 2))
  private static let jug = ContainerName("jug") ?? { preconditionFailure("a short line") }()

  private static let grinder = OutputName("grinder") ?? { preconditionFailure("a valid name") }()
  private static let kettle = OutputName("kettle") ?? { preconditionFailure("a valid name") }()

  private static func dose(_ mass: Double) -> ScaleMachine.Input {
    request(.dose, .dose(.start(Dose(output: grinder, target: Target(mass: Grams(mass))))))
  }

  /// Puts 100 g or so on a scale with an output that can be switched.
  private static func connect(_ scale: inout HandFedScale) {
    scale.change { $0.outputs = [Output(name: grinder)] }
    scale.handle(.connection(isConnected: true))
    scale.settle(200)
  }

  private static func numbered(_ number: Int) -> ContainerName {
    ContainerName("c\(number)") ?? { preconditionFailure("a short line") }()
  }

  private static func request(
    _ action: Action, _ parameters: ActionArguments = .none, label: String? = nil,
    of reference: WeighingReference = .last
  ) -> ScaleMachine.Input {
    .request(
      ActionRequest(action: action, label: label, reference: reference, parameters: parameters, source: .mqtt))
  }

  /// Answers the draft of a request as the journal does.
  private static func journal(_ scale: inout HandFedScale, _ rejection: Rejection, _ input: ScaleMachine.Input) {
    scale.handle(input)
    for case .record(let draft) in scale.take() {
      scale.handle(.recorded(RecordOutcome(draft: draft, result: .failure(rejection))))
    }
  }

  private static func quick(_ run: Action, _ parameter: QuickAction.Parameter? = nil) -> QuickAction {
    QuickAction(type: "beans", title: "Beans", run: run, userInfo: parameter.map { [$0] } ?? [])
  }

  private static let pressed = ScaleMachine.Input.request(ActionRequest(name: "beans", source: .mqtt))

  private static let cases: [Rejected] = [
    Rejected(
      testDescription: "moving load", reason: .unstable, detail: .notAtRest(within: .milliseconds(1500)),
      text: "the load did not come to rest within 1.5 s"
    ) {
      $0.change { $0.confirm.settle = .milliseconds(1500) }
      $0.frame(200)
      $0.handle(request(.tare))
      for step in 0..<200 { $0.hold(Double(200 + step % 2 * 100), for: .milliseconds(8)) }
    },
    Rejected(
      testDescription: "overload", reason: .overload, detail: .overload(capacity: Grams(385)),
      text: "the load reaches the capacity of 385 g, or the end of the range of the pad"
    ) {
      $0.settle(900)
      $0.handle(request(.commit))
    },
    Rejected(
      testDescription: "nothing", reason: .empty, detail: .nothingOnPad, text: "nothing is on the pad"
    ) { $0.handle(request(.commit)) },
    Rejected(
      testDescription: "gross below zero", reason: .empty, detail: .grossNotPositive,
      text: "the gross weight must be above 0 g"
    ) {
      $0.settle(300)
      $0.ask(.zero)
      $0.settle(200)
      $0.handle(request(.tare))
    },
    Rejected(
      testDescription: "net below zero", reason: .empty, detail: .netNotPositive,
      text: "the net weight must be above 0 g"
    ) {
      $0.settle(300)
      $0.ask(.tare)
      $0.settle(200)
      $0.handle(request(.count, .count(.sample(pieces: 10, spread: 0.02))))
    },
    Rejected(
      testDescription: "below the minimum", reason: .belowMinimum, detail: .belowMinimum(Grams(7.5)),
      text: "the net weight is below the minimum of 7.5 g"
    ) {
      $0.change { $0.scale.minimum = Grams(7.5) }
      $0.settle(10)
      $0.handle(request(.commit))
    },
    Rejected(
      testDescription: "wrong zero", reason: .belowMinimum, detail: .belowZero(Grams(-2)),
      text: "the gross weight is below -2 g; zero the scale"
    ) {
      $0.settle(300)
      $0.ask(.zero)
      $0.settle(200)
      $0.handle(request(.commit))
    },
    Rejected(
      testDescription: "no pad", reason: .padMissing, detail: .noPad, text: "the pad is not connected"
    ) {
      $0.handle(.padLost("unplugged"))
      $0.handle(request(.zero))
    },
    Rejected(testDescription: "no tare", reason: .noTare, detail: .noTare, text: "no tare is set") {
      $0.handle(request(.clearTare))
    },
    Rejected(
      testDescription: "last weighing voided", reason: .nothingToVoid, detail: .nothingToVoid,
      text: "there is no weighing to void, or it is already voided"
    ) { journal(&$0, .nothingToVoid, request(.void)) },
    Rejected(
      testDescription: "weighing voided", reason: .nothingToVoid, detail: .alreadyVoided(.id(id)),
      text: "weighing \(id) is already voided"
    ) { journal(&$0, .nothingToVoid, request(.void, of: .id(id))) },
    Rejected(
      testDescription: "weighing with a number voided", reason: .nothingToVoid, detail: .alreadyVoided(.sequence(7)),
      text: "weighing #7 is already voided"
    ) { journal(&$0, .nothingToVoid, request(.void, of: .sequence(7))) },
    Rejected(
      testDescription: "unknown weighing", reason: .unknownWeighing, detail: .unknownWeighing(.id(id)),
      text: "there is no weighing \(id)"
    ) { journal(&$0, .unknownWeighing, request(.relabel, label: "rye", of: .id(id))) },
    Rejected(
      testDescription: "unknown number", reason: .unknownWeighing, detail: .unknownWeighing(.sequence(7)),
      text: "there is no weighing #7"
    ) { journal(&$0, .unknownWeighing, request(.relabel, label: "rye", of: .sequence(7))) },
    Rejected(
      testDescription: "no identifier", reason: .unknownWeighing, detail: .unknownWeighing(.unknown),
      text: "there is no weighing with this id or number"
    ) { journal(&$0, .unknownWeighing, request(.void, of: .unknown)) },
    Rejected(
      testDescription: "unknown container", reason: .unknownContainer, detail: .unknownContainer(jug),
      text: "no container is named jug; there are no containers yet"
    ) { $0.handle(request(.tare, .tare(.container(jug)))) },
    Rejected(
      testDescription: "unknown among containers", reason: .unknownContainer,
      detail: .unknownContainer(jug, known: (1...11).map(numbered)),
      text: "no container is named jug; the containers are c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, ..."
    ) {
      $0.change { $0.containers = (1...11).map { Container(name: numbered($0), tare: Grams(50), isConfigured: true) } }
      $0.handle(request(.tare, .tare(.container(jug))))
    },
    Rejected(
      testDescription: "unknown container to remove", reason: .unknownContainer, detail: .unknownContainer(jug),
      text: "no container is named jug; there are no containers yet"
    ) { $0.handle(request(.container, .container(.remove(jug)))) },
    Rejected(
      testDescription: "configured container", reason: .unknownContainer, detail: .containerIsConfigured,
      text: "the container is in the configuration file; remove it there"
    ) {
      $0.change { $0.containers = [Container(name: jug, tare: Grams(50), isConfigured: true)] }
      $0.handle(request(.container, .container(.remove(jug))))
    },
    Rejected(
      testDescription: "no outputs", reason: .unknownOutput, detail: .unknownOutput(grinder, known: []),
      text: "no output is named grinder; add it to outputs in the configuration file"
    ) { $0.handle(dose(18)) },
    Rejected(
      testDescription: "another output", reason: .unknownOutput, detail: .unknownOutput(grinder, known: [kettle]),
      text: "no output is named grinder; the outputs are kettle"
    ) {
      $0.change { $0.outputs = [Output(name: kettle)] }
      $0.handle(dose(18))
    },
    Rejected(
      testDescription: "no broker", reason: .brokerUnavailable, detail: .brokerUnavailable,
      text: "there is no connection to the broker"
    ) {
      $0.change { $0.outputs = [Output(name: grinder)] }
      $0.settle(200)
      $0.handle(dose(300))
    },
    Rejected(
      testDescription: "at the target", reason: .atTarget, detail: .atTarget,
      text: "the net weight has reached the target already"
    ) {
      connect(&$0)
      $0.handle(dose(18))
    },
    Rejected(
      testDescription: "second dose", reason: .busy, detail: .doseUnderWay,
      text: "a dose is under way; stop it first"
    ) {
      connect(&$0)
      $0.handle(dose(300))
      $0.handle(dose(300))
    },
    Rejected(
      testDescription: "dose above the capacity", reason: .badPayload,
      detail: .aboveCapacity(parameter: "target_g", Grams(385)), text: "target_g is above the capacity of 385 g"
    ) {
      connect(&$0)
      $0.handle(dose(400))
    },
    Rejected(
      testDescription: "journal", reason: .journalUnavailable, detail: .journalUnavailable,
      text: "the journal cannot be written; see the health topic for the reason"
    ) { journal(&$0, .journalUnavailable, request(.void)) },
    Rejected(
      testDescription: "slow disk", reason: .journalUnavailable, detail: .recordsWaiting(maximum: 64),
      text: "64 records are waiting for the disk; try again"
    ) { for _ in 0..<65 { $0.handle(request(.void)) } },
    Rejected(
      testDescription: "unknown action", reason: .unknownAction,
      detail: .unknownAction("beans", known: Action.allCases.map(\.rawValue) + ["oats"]),
      text: "there is no action named beans; the actions are \(Action.list), oats"
    ) {
      $0.change { $0.quickActions = [QuickAction(type: "oats", title: "Oats")] }
      $0.handle(pressed)
    },
    Rejected(
      testDescription: "target above the capacity", reason: .badPayload,
      detail: .aboveCapacity(parameter: "target_g", Grams(385)), text: "target_g is above the capacity of 385 g"
    ) { $0.handle(request(.target, .target(Target(mass: Grams(1800))))) },
    Rejected(
      testDescription: "tare above the capacity", reason: .badPayload,
      detail: .aboveCapacity(parameter: "tare_g", Grams(385)), text: "tare_g is above the capacity of 385 g"
    ) { $0.handle(request(.tare, .tare(.mass(Grams(386))))) },
    Rejected(
      testDescription: "piece above the capacity", reason: .badPayload,
      detail: .aboveCapacity(parameter: "piece_g", Grams(385)), text: "piece_g is above the capacity of 385 g"
    ) { $0.handle(request(.count, .count(.mass(Grams(400), spread: 0.02)))) },
    Rejected(
      testDescription: "target of a quick action above the capacity", reason: .badPayload,
      detail: .aboveCapacity(parameter: "target_g", Grams(385)), text: "target_g is above the capacity of 385 g"
    ) {
      $0.change { $0.quickActions = [quick(.zero, .init(name: "target_g", value: .number(400)))] }
      $0.handle(pressed)
    },
    Rejected(
      testDescription: "too many containers", reason: .badPayload, detail: .tooManyContainers(maximum: 64),
      text: "64 containers are stored already; remove one first"
    ) {
      $0.handle(
        .restoreContainers((0..<64).compactMap { ContainerName("c\($0)") }.map { Container(name: $0, tare: Grams(9)) }))
      $0.settle(200)
      $0.handle(request(.container, .container(.store(jug))))
    },
    Rejected(
      testDescription: "relabel without a label", reason: .badPayload,
      detail: .parameter(ActionArgumentError("label", .missing)), text: "label: missing"
    ) { $0.handle(request(.relabel)) },
    Rejected(
      testDescription: "timer without a command", reason: .badPayload,
      detail: .parameter(ActionArgumentError("do", .missing)), text: "do: missing"
    ) { $0.handle(request(.timer)) },
    Rejected(
      testDescription: "container without a name", reason: .badPayload,
      detail: .parameter(ActionArgumentError("name", .missing)), text: "name: missing"
    ) {
      $0.settle(200)
      $0.handle(request(.container))
    },
    Rejected(
      testDescription: "quick action with a wrong parameter", reason: .badPayload,
      detail: .parameter(ActionArgumentError("do", .missing)), text: "do: missing"
    ) {
      $0.change { $0.quickActions = [quick(.timer)] }
      $0.handle(pressed)
    },
    Rejected(
      testDescription: "expired", reason: .expired, detail: .expired, text: "the message expiry has passed"
    ) {
      $0.handle(.request(ActionRequest(name: "tare", source: .mqtt, expiry: $0.now)))
    },
  ]

  @Test(arguments: cases) func aRejectionNamesItsLimit(_ rejected: Rejected) {
    var scale = HandFedScale()
    _ = scale.take()
    rejected.ask(&scale)
    let effects = scale.take()
    let results = effects.results.filter { $0.rejection != nil }
    #expect(results.map(\.rejection) == [rejected.reason] && results.map(\.detail) == [rejected.detail])
    let events = effects.events.filter { if case .rejected = $0 { true } else { false } }
    #expect(events == results.map { .rejected($0.request.name, rejected.reason, rejected.detail) })
    #expect(rejected.detail.sentence.description == rejected.text)
  }

  @Test func theTableHasEveryReason() {
    #expect(Set(Self.cases.map(\.reason)) == Set(Rejection.allCases))
  }
}
