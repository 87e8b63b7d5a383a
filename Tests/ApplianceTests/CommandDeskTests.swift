import Messages
import Synchronization
import Testing
import Weighing

@testable import Appliance

/// Who asked what, until the scale has decided.
@Suite struct CommandDeskTests {
  private let backlog = Backlog()
  private let desk: CommandDesk

  /// How many messages wait to be sent.
  private final class Backlog: Sendable { let count = Mutex(0) }

  init() {
    desk = CommandDesk(topics: Topics(prefix: "grampad", id: "kitchen")) { [backlog] in backlog.count.withLock { $0 } }
  }

  private func setBacklog(_ count: Int) { backlog.count.withLock { $0 = count } }

  private func take(_ topic: String, _ correlation: Int, from caller: String? = nil) -> CommandDesk.Outcome {
    take(topic, payload: #"{"correlation":"\#(correlation)"}"#, from: caller)
  }

  private func take(_ topic: String, payload: String, from caller: String? = nil) -> CommandDesk.Outcome {
    desk.take(
      IncomingMessage(
        topic: "grampad/kitchen/" + topic, payload: Array(payload.utf8), isRetained: false,
        responseTopic: caller.map { "grampad/kitchen/result/\($0)" }))
  }

  private func refusal(of outcome: CommandDesk.Outcome) -> CommandDesk.Allowance? {
    if case .refused(_, _, let allowance) = outcome { allowance } else { nil }
  }

  /// Sends commands of a caller until one is refused; returns how many were admitted.
  private func flood(from caller: String? = nil) -> Int {
    for number in 0... {
      guard case .input = take("command/tare", number, from: caller) else { return number }
    }
    return 0
  }

  /// One caller gets half of all places, and whatever floods there are, the next caller finds some.
  @Test func aFloodOfOneCallerLeavesRoomForOthers() {
    #expect(flood() == CommandDesk.capacity / 2)
    #expect(flood(from: "a") == CommandDesk.capacity / 4)
    #expect(flood(from: "b") == CommandDesk.capacity / 8)
    #expect(flood() == 0)
    #expect(flood(from: "c") > 0)
  }

  @Test func nothingIsAdmittedWithoutRoomForItsAnswer() {
    setBacklog(CommandDesk.admissionBacklog - 1)
    guard case .input = take("command/tare", 1) else {
      Issue.record("there is room for one more")
      return
    }
    setBacklog(CommandDesk.admissionBacklog)
    guard case .refused(_, .busy, _) = take("command/tare", 2) else {
      Issue.record("there is no room")
      return
    }
  }

  /// A flood fills the queue up to its own limit. Others are admitted and answered beyond it.
  @Test func aFloodMeetsItsLimitsBeforeOthers() throws {
    for number in 0...CallerRates.few { _ = take("command/tare", number, from: "flood") }
    setBacklog(CommandDesk.floodAdmissionBacklog)
    let refused = try #require(refusal(of: take("command/tare", 1, from: "flood")))
    #expect(refused.backlog == CommandDesk.floodRefusalBacklog)
    for caller in ["other", nil] {
      guard case .input = take("command/tare", 1, from: caller) else {
        Issue.record("\(caller ?? "without a response topic") is refused")
        return
      }
    }
    setBacklog(CommandDesk.admissionBacklog)
    #expect(refusal(of: take("command/tare", 1, from: "other"))?.backlog == CommandDesk.refusalBacklog)
  }

  /// Without a response topic, the command and the correlation tell callers apart.
  @Test(arguments: [
    (#"{"correlation":"7"}"#, "tare", #"{"correlation":"8"}"#, true),
    (#"{"correlation":"flood 7"}"#, "tare", #"{"correlation":"button 7"}"#, false),
    ("{}", "tare", "", true), ("{}", "tare", #"{"correlation":"button"}"#, false), ("{}", "zero", "{}", false),
  ])
  func callersWithoutAResponseTopic(flood: String, name: String, payload: String, isSame: Bool) {
    for _ in 0...CallerRates.few { _ = take("command/tare", payload: flood) }
    setBacklog(CommandDesk.floodAdmissionBacklog)
    #expect((refusal(of: take("command/\(name)", payload: payload)) != nil) == isSame)
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
      (1...100).count { _ in refusal(of: take("command/no/such", 1, from: caller))?.hasEvent == true }
    }
    // The test may go on into the next second.
    #expect([10, 20].contains(events("flood")))
    #expect([10, 20].contains(events("other")))
  }

  @Test func everyAnswerFindsItsCallerOnce() throws {
    var requests: [ActionRequest] = []
    for number in 0..<CommandDesk.capacity / 2 {
      guard case .input(.request(let request)) = take("command/tare", number) else {
        Issue.record("number \(number) is refused")
        return
      }
      requests.append(request)
    }
    #expect(Set(requests.map(\.identifier)).count == CommandDesk.capacity / 2)
    guard case .refused(let command, .busy, _) = take("command/tare", 99) else {
      Issue.record("no bound")
      return
    }
    #expect(command.caller.correlation == "99")
    for (number, request) in requests.enumerated().reversed() {
      #expect(desk.caller(of: request) == Caller(correlation: "\(number)"))
      #expect(desk.caller(of: request) == nil)
    }
    guard case .input(.request) = take("command/tare", 100) else {
      Issue.record("an answer makes room")
      return
    }
  }

  @Test func whatIsRefusedOrNoCommandTakesNoPlace() {
    for _ in 0...CommandDesk.capacity {
      guard case .refused(_, .unknownAction, _) = take("command/we/igh", 1) else {
        Issue.record("not refused")
        return
      }
      #expect(take("live", 1) == .none)
    }
    guard case .input(.request) = take("command/tare", 1) else {
      Issue.record("no place left")
      return
    }
  }

  @Test func anInternalRequestHasNoCaller() {
    _ = take("command/tare", 1)
    #expect(desk.caller(of: ActionRequest(action: .tare, source: .start)) == nil)
  }
}
