import Messages
import Testing
import Weighing

@testable import Simulating

@Suite struct LightResendTests {
  private let now = Instant(nanoseconds: 0)

  private func command() throws -> Command {
    let topics = Topics(prefix: "grampad", id: "d")
    return try #require(
      Command(
        IncomingMessage(
          topic: topics.command(Command.resendName), payload: Command.resendPayload(1...1), isRetained: false),
        topics: topics))
  }

  @Test func aRangeIsSentInWindowsAndAnswered() throws {
    var resend = LightResend()
    let isAccepted = resend.append(try command(), 8...14, .mqtt)
    let first = resend.take(3, last: 12)
    #expect(isAccepted && first == [8, 9, 10])
    let early = resend.takeAnswer(last: 12, at: now)?.0
    #expect(early == nil)
    let others = [resend.take(9, last: 12), resend.take(9, last: 12)]
    #expect(others == [[11, 12], []])
    for _ in 0..<4 { resend.acknowledge(isAccepted: true) }
    let late = resend.takeAnswer(last: 12, at: now)?.0
    #expect(late == nil, "one is in flight")
    resend.acknowledge(isAccepted: false)
    let answer = resend.takeAnswer(last: 12, at: now)
    #expect(answer?.0.sent == 4 && answer?.0.missing == [13...14] && answer?.0.last == 12)
    #expect(!resend.isBusy)
  }

  @Test func whatTheJournalNeverHadIsMissing() throws {
    var resend = LightResend()
    let isAccepted = resend.append(try command(), 20...30, .mqtt)
    let sequences = resend.take(9, last: 12)
    #expect(isAccepted && sequences.isEmpty)
    let answer = resend.takeAnswer(last: 12, at: now)
    #expect(answer?.0.missing == [20...30])
  }

  @Test func sixteenWaitAndAllEndWithTheConnection() throws {
    var resend = LightResend()
    let command = try command()
    let accepted = (0..<17).map { _ in resend.append(command, 1...1, .mqtt) }
    #expect(accepted == Array(repeating: true, count: 16) + [false])
    resend.disconnect()
    #expect(!resend.isBusy)
  }
}
