import Messages
import Synchronization
import Testing
import Weighing

@testable import Appliance

/// The limits of commands, and the callers of pending ones.
@Suite struct CommandReceiverTests {
  private let backlog = Backlog()
  private let pending = PendingRequests()
  private let commands: CommandReceiver

  /// Number of messages that wait to be sent.
  private final class Backlog: Sendable { let count = Mutex(0) }

  init() {
    commands = CommandReceiver(topics: Topics(prefix: "grampad", id: "kitchen"), pending: pending) { [backlog] in
      backlog.count.withLock { $0 }
    }
  }

  private func setBacklog(_ count: Int) { backlog.count.withLock { $0 = count } }

  private func receive(_ topic: String, _ correlation: Int, from caller: String? = nil) -> CommandReceiver.Outcome {
    receive(topic, payload: #"{"correlation":"\#(correlation)"}"#, from: caller)
  }

  private func receive(_ topic: String, payload: String, from caller: String? = nil) -> CommandReceiver.Outcome {
    commands.receive(
      IncomingMessage(
        topic: "grampad/kitchen/" + topic, payload: Array(payload.utf8), isRetained: false,
        responseTopic: caller.map { "grampad/kitchen/result/\($0)" }))
  }

  private func rejection(of outcome: CommandReceiver.Outcome) -> CommandAdmission.Allowance? {
    if case .rejected(_, _, let allowance) = outcome { allowance } else { nil }
  }

  private func complete(_ request: ActionRequest) -> Caller? { pending.remove(request)?.caller }

  /// Sends commands of a caller until one is rejected; returns the number of admitted ones.
  private func flood(from caller: String? = nil) -> Int {
    for number in 0... {
      guard case .input = receive("command/tare", number, from: caller) else { return number }
    }
    return 0
  }

  /// One caller gets half of the capacity, and however many callers flood, the next one gets a share.
  @Test func aFloodOfOneCallerLeavesRoomForOthers() {
    #expect(flood() == CommandAdmission.capacity / 2)
    #expect(flood(from: "a") == CommandAdmission.capacity / 4)
    #expect(flood(from: "b") == CommandAdmission.capacity / 8)
    #expect(flood() == 0)
    #expect(flood(from: "c") > 0)
  }

  @Test func nothingIsAdmittedWithoutRoomForItsAnswer() {
    setBacklog(CommandAdmission.commandBacklog - 1)
    guard case .input = receive("command/tare", 1) else {
      Issue.record("there is room for one more")
      return
    }
    setBacklog(CommandAdmission.commandBacklog)
    guard case .rejected(let command, .busy, _) = receive("command/tare", 2) else {
      Issue.record("there is no room")
      return
    }
    #expect(command.detail?.description == "500 messages are waiting to be sent; try again")
  }

  /// A flood fills the queue up to its own limit. Others are admitted and answered beyond it.
  @Test func aFloodMeetsItsLimitsBeforeOthers() throws {
    for number in 0...CallerRates.few { _ = receive("command/tare", number, from: "flood") }
    setBacklog(CommandAdmission.floodCommandBacklog)
    let outcome = receive("command/tare", 1, from: "flood")
    let rejected = try #require(rejection(of: outcome))
    #expect(rejected.backlog == CommandAdmission.floodRejectionBacklog)
    guard case .rejected(let command, _, _) = outcome else { return }
    #expect(command.detail?.description == "this client sends more than 20 commands a second")
    for caller in ["other", nil] {
      guard case .input = receive("command/tare", 1, from: caller) else {
        Issue.record("\(caller ?? "without a response topic") is rejected")
        return
      }
    }
    setBacklog(CommandAdmission.commandBacklog)
    #expect(rejection(of: receive("command/tare", 1, from: "other"))?.backlog == CommandAdmission.rejectionBacklog)
  }

  /// Another request lies between two stops that are admitted beyond the limits, or the first one is decided.
  @Test func aStopOfADoseIsAdmittedInAFlood() throws {
    let stop = { receive("command/dose", payload: "{}", from: "flood") }
    _ = flood(from: "flood")
    setBacklog(CommandAdmission.commandBacklog)
    for payload in [#"{"output":"mill","target_g":18}"#, #"{"forget":"beans"}"#] {
      #expect(rejection(of: receive("command/dose", payload: payload, from: "flood")) != nil, "\(payload)")
    }
    guard case .input(.request(let first)) = stop() else {
      Issue.record("it is rejected")
      return
    }
    #expect(first.name == "dose" && first.parameters == .none)
    #expect(rejection(of: stop()) != nil, "the first one stops the dose")
    setBacklog(0)
    guard case .input(.request) = receive("command/tare", 1, from: "other"), case .input(.request(let second)) = stop()
    else {
      Issue.record("a dose may have started in between")
      return
    }
    #expect(complete(second)?.responseTopic == "grampad/kitchen/result/flood")
    #expect(rejection(of: stop()) == nil, "the last one is decided")
    #expect(complete(first) == nil, "its answer would take the place of others")
  }

  /// Beyond the rate of answers, a stop is carried out, and the next one when it is decided.
  @Test func stopsBeyondAnyRateAreNotAnswered() throws {
    let commands = CommandReceiver(
      topics: Topics(prefix: "grampad", id: "kitchen"), pending: pending, clock: { Instant(nanoseconds: 0) },
      backlog: { 0 })
    let message = IncomingMessage(topic: "grampad/kitchen/command/dose", payload: Array("{}".utf8), isRetained: false)
    let answers = try (0..<2 * CallerRates.most).count { _ in
      guard case .input(.request(let request)) = commands.receive(message) else { throw CancellationError() }
      return try #require(pending.remove(request)).isAnswered
    }
    #expect(answers == CallerRates.most)
  }

  /// Without a response topic, the command and the correlation tell callers apart.
  @Test(arguments: [
    (#"{"correlation":"7"}"#, "tare", #"{"correlation":"8"}"#, true),
    (#"{"correlation":"flood 7"}"#, "tare", #"{"correlation":"button 7"}"#, false),
    ("{}", "tare", "", true), ("{}", "tare", #"{"correlation":"button"}"#, false), ("{}", "zero", "{}", false),
  ])
  func callersWithoutAResponseTopic(flood: String, name: String, payload: String, isSame: Bool) {
    for _ in 0...CallerRates.few { _ = receive("command/tare", payload: flood) }
    setBacklog(CommandAdmission.floodCommandBacklog)
    #expect((rejection(of: receive("command/\(name)", payload: payload)) != nil) == isSame)
  }

  @Test func aCallerFloodsUntilASecondHasPassedWithout() {
    var rates = CallerRates()
    func count(_ number: Int, at second: Double) -> CallerRates.Load? {
      (0..<number).map { _ in rates.countCommand(of: "a", at: Instant(nanoseconds: 0) + .seconds(second)).load }.last
    }
    #expect(count(CallerRates.few, at: 1) == .normal)
    #expect(count(1, at: 1) == .flood)
    #expect(count(1, at: 2) == .flood)
    #expect(count(1, at: 3) == .normal)
    #expect(count(CallerRates.most, at: 4) == .flood)
    #expect(count(1, at: 4) == .excess)
    #expect(count(1, at: 5) == .flood)
    #expect(count(1, at: 9) == .normal)
  }

  /// A caller that changes its response topic each time is counted as one in the end, apart from those that were there.
  @Test func aCallerThatChangesItsNameIsCountedAsOne() {
    var rates = CallerRates()
    for second in 1...3 {
      let now = Instant(nanoseconds: 0) + .seconds(Double(second))
      if second == 1 { _ = rates.countCommand(of: "steady", at: now) }
      let rotating = (1...1000).map { rates.countCommand(of: "caller \(second) \($0)", at: now).load }
      #expect(rotating.count { $0 != .normal } > 900)
      let steady = rates.countCommand(of: "steady", at: now)
      #expect(steady.load == .normal)
    }
  }

  @Test func eachCallerHasItsOwnEvents() {
    let events = { (caller: String) in
      (1...100).count { _ in rejection(of: receive("command/no/such", 1, from: caller))?.hasEvent == true }
    }
    // The test may go on into the next second.
    #expect([10, 20].contains(events("flood")))
    #expect([10, 20].contains(events("other")))
  }

  @Test func everyAnswerFindsItsCallerOnce() throws {
    var requests: [ActionRequest] = []
    for number in 0..<CommandAdmission.capacity / 2 {
      guard case .input(.request(let request)) = receive("command/tare", number) else {
        Issue.record("number \(number) is rejected")
        return
      }
      requests.append(request)
    }
    #expect(Set(requests.map(\.identifier)).count == CommandAdmission.capacity / 2)
    guard case .rejected(let command, .busy, _) = receive("command/tare", 99) else {
      Issue.record("no bound")
      return
    }
    #expect(command.caller.correlation == "99")
    #expect(command.detail?.description == "too many of the 128 places for waiting commands are taken; try again")
    for (number, request) in requests.enumerated().reversed() {
      #expect(complete(request) == Caller(correlation: "\(number)"))
      #expect(complete(request) == nil)
    }
    guard case .input(.request) = receive("command/tare", 100) else {
      Issue.record("an answer makes room")
      return
    }
  }

  @Test func rejectedCommandsAndOtherMessagesAreNotPending() {
    for _ in 0...CommandAdmission.capacity {
      guard case .rejected(_, .unknownAction, _) = receive("command/we/igh", 1) else {
        Issue.record("not rejected")
        return
      }
      #expect(receive("live", 1) == .none)
    }
    guard case .input(.request) = receive("command/tare", 1) else {
      Issue.record("no capacity left")
      return
    }
  }

  @Test func anInternalRequestHasNoCaller() {
    _ = receive("command/tare", 1)
    #expect(complete(ActionRequest(action: .tare, source: .start)) == nil)
  }
}
