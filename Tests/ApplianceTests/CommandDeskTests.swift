import Messages
import Testing
import Weighing

@testable import Appliance

/// Who asked what, until the scale has decided.
@Suite struct CommandDeskTests {
  private let desk = CommandDesk(topics: Topics(prefix: "grampad", id: "kitchen"))

  private func take(_ topic: String, _ correlation: Int) -> CommandDesk.Outcome {
    let payload = Array(#"{"correlation":"\#(correlation)"}"#.utf8)
    return desk.take(IncomingMessage(topic: "grampad/kitchen/" + topic, payload: payload, isRetained: false))
  }

  @Test func everyAnswerFindsItsCallerOnce() throws {
    var requests: [ActionRequest] = []
    for number in 0..<CommandDesk.capacity {
      guard case .input(.request(let request)) = take("command/tare", number) else {
        Issue.record("number \(number) is refused")
        return
      }
      requests.append(request)
    }
    #expect(Set(requests.map(\.identifier)).count == CommandDesk.capacity)
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
