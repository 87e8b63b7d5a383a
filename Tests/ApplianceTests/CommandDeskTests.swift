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

  private func take(_ topic: String, _ correlation: Int, from caller: String? = nil) -> CommandDesk.Outcome {
    let payload = Array(#"{"correlation":"\#(correlation)"}"#.utf8)
    return desk.take(
      IncomingMessage(
        topic: "grampad/kitchen/" + topic, payload: payload, isRetained: false,
        responseTopic: caller.map { "grampad/kitchen/result/\($0)" }))
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
    backlog.count.withLock { $0 = CommandDesk.admissionBacklog - 1 }
    guard case .input = take("command/tare", 1) else {
      Issue.record("there is room for one more")
      return
    }
    backlog.count.withLock { $0 = CommandDesk.admissionBacklog }
    guard case .refused(_, .busy) = take("command/tare", 2) else {
      Issue.record("there is no room")
      return
    }
  }

  @Test func refusalsOfAFloodLeaveRoomForThoseOfOthers() {
    var budget = RefusalBudget()
    let now = Instant(nanoseconds: 5_000_000_000)
    let allowances = (1...1000).map { _ in budget.count("flood", at: now) }
    #expect(allowances.count(where: \.hasEvent) == 10)
    #expect(allowances[0] == CommandDesk.Allowance(backlog: 400, hasEvent: true))
    #expect(allowances[999] == CommandDesk.Allowance(backlog: 200, hasEvent: false))
    #expect(budget.count("other", at: now) == CommandDesk.Allowance(backlog: 400, hasEvent: false))
    #expect(budget.count("flood", at: now + .seconds(1)) == CommandDesk.Allowance(backlog: 400, hasEvent: true))
    // A caller that changes its response topic each time is counted as one in the end.
    let rotating = (1...1000).map { budget.count("caller \($0)", at: now + .seconds(1)) }
    #expect(rotating.count { $0.backlog == 400 } < 100)
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
    guard case .refused(let command, .busy) = take("command/zero", 99) else {
      Issue.record("no bound")
      return
    }
    #expect(command.caller.correlation == "99")
    for (number, request) in requests.enumerated().reversed() {
      #expect(desk.caller(of: request) == Caller(correlation: "\(number)"))
      #expect(desk.caller(of: request) == .nobody)
    }
    guard case .input(.request) = take("command/zero", 100) else {
      Issue.record("an answer makes room")
      return
    }
  }

  @Test func whatIsRefusedOrNoCommandTakesNoPlace() {
    for _ in 0...CommandDesk.capacity {
      guard case .refused(_, .unknownAction) = take("command/we/igh", 1) else {
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

  @Test func aRequestOfNobodyHasNoCaller() {
    _ = take("command/tare", 1)
    #expect(desk.caller(of: ActionRequest(action: .tare, source: .start)) == .nobody)
  }
}
