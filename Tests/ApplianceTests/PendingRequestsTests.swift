import Messages
import Testing
import Weighing

@testable import Appliance

/// Requests of MQTT clients and of the page in one table.
@Suite struct PendingRequestsTests {
  private let pending = PendingRequests()
  private let request = ActionRequest(action: .tare, source: .dashboard)

  /// Starts an action of the page; returns its task, and its request as passed to the scale.
  private func startAction() async -> (task: Task<ActionResult?, Never>, request: ActionRequest?) {
    let sent = AsyncStream<ActionRequest>.makeStream()
    let task = Task { [pending, request] in
      defer { sent.continuation.finish() }
      return await completed { pending.send(request, $0) { sent.continuation.yield($0) } }
    }
    return (task, await sent.stream.first { _ in true })
  }

  @Test func aResultIsDeliveredToThePageOnce() async throws {
    let (task, sent) = await startAction()
    let result = try ActionResult.decided(#require(sent))
    let recipient = try #require(pending.remove(result.request))
    #expect(recipient.caller == nil)
    #expect(pending.remove(result.request) == nil)
    recipient.deliver(result)
    #expect(await task.value == result)
  }

  @Test func resultsReachTheirRecipients() async throws {
    let first = try #require(pending.add(Caller(correlation: "a"), of: "client"))
    let (task, sent) = await startAction()
    let second = try #require(pending.add(Caller(correlation: "b"), of: "client"))
    let ofPage = try #require(sent)
    #expect(Set([0, first, second, ofPage.identifier]).count == 4)
    var answered = request
    for (identifier, name) in [(second, "b"), (first, "a")] {
      answered.identifier = identifier
      #expect(pending.remove(answered)?.caller == Caller(correlation: name))
    }
    pending.remove(ofPage)?.deliver(.decided(ofPage))
    #expect(await task.value?.request == ofPage)
  }

  /// The page has a limit of its own, and does not reduce that of MQTT clients.
  @Test func thePageHasItsOwnLimit() async {
    var tasks: [Task<ActionResult?, Never>] = []
    for _ in 0..<PendingRequests.pageCapacity { tasks.append(await startAction().task) }
    #expect(await startAction().request == nil)
    let commands = (0..<CommandAdmission.capacity).count { _ in pending.add(Caller(), of: "client") != nil }
    #expect(commands == CommandAdmission.capacity / 2)
    pending.closePage()
    for task in tasks { #expect(await task.value == nil) }
    #expect(await startAction().request == nil)
    #expect(pending.add(Caller(), of: "other") != nil)
  }
}

extension ActionResult {
  /// A result for a request: that of an unknown action, which a scale rejects immediately.
  static func decided(_ request: ActionRequest) -> ActionResult {
    var machine = ScaleMachine(settings: ScaleSettings(), at: Instant(nanoseconds: 0))
    let unknown = ActionRequest(name: "unknown", source: request.source)
    for effect in machine.handle(.request(unknown), at: Instant(nanoseconds: 1)) {
      guard case .result(var result) = effect else { continue }
      result.request = request
      return result
    }
    preconditionFailure("an unknown action is rejected immediately")
  }
}
