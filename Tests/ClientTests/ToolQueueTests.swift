import Linux
import Synchronization
import Testing

@testable import Client

/// Order, limit and cancellation of calls.
@Suite struct ToolQueueTests {
  /// A tool that waits until it is released or cancelled.
  private final class Gate: Sendable {
    let entered = Signal()
    let wake = Signal()
    let isOpen = Atomic(false)
    let performed = Mutex<[String]>([])

    var tool: Tool {
      Tool("wait", title: "", description: "", effect: .none, arguments: [], result: []) { [self] _, call in
        entered.raise()
        while !isOpen.load(ordering: .relaxed), !call.isCancelled {
          _ = wake.wait(milliseconds: 10_000)
          wake.lower()
        }
        performed.withLock { $0.append("\(call.id)") }
        return .success(Array("{}".utf8))
      }
    }

    func open() {
      isOpen.store(true, ordering: .relaxed)
      wake.raise()
    }
  }

  private final class Answers: Sendable {
    let all = Mutex<[String]>([])

    func call(_ name: String, _ tool: Tool) throws -> ToolCall {
      ToolCall(id: .text(name), tool: tool, arguments: try ToolArguments(nil, of: [])) { [self] result in
        all.withLock { $0.append(result == nil ? "\(name) cancelled" : name) }
      }
    }
  }

  @Test func performsInOrderAndStopsWhatIsCancelled() throws {
    let gate = Gate()
    let answers = Answers()
    let queue = ToolQueue { gate.wake.raise() }
    queue.start()
    for name in ["1", "2", "3"] { #expect(try queue.append(answers.call(name, gate.tool))) }
    #expect(gate.entered.wait(milliseconds: 10_000))
    queue.cancel(.text("2"))
    queue.cancel(.text("1"))
    queue.cancel(.text("unknown"))
    gate.open()
    queue.finish()
    #expect(answers.all.withLock { $0 } == ["1 cancelled", "2 cancelled", "3"])
    // A call that is cancelled while it waits is never performed.
    #expect(gate.performed.withLock { $0 }.count == 2)
  }

  @Test func refusesMoreThanTheLimit() throws {
    let gate = Gate()
    let answers = Answers()
    let queue = ToolQueue { gate.wake.raise() }
    queue.start()
    #expect(try queue.append(answers.call("first", gate.tool)))
    #expect(gate.entered.wait(milliseconds: 10_000))
    for index in 0..<ToolQueue.limit { #expect(try queue.append(answers.call("\(index)", gate.tool))) }
    #expect(try !queue.append(answers.call("one more", gate.tool)))
    gate.open()
    queue.finish()
    #expect(answers.all.withLock { $0.count } == ToolQueue.limit + 1)
  }
}

/// Lines from a stream.
@Suite struct LineReaderTests {
  private func lines(_ pieces: [String]) -> [LineReader.Line] {
    var reader = LineReader()
    return pieces.flatMap { reader.append(Array($0.utf8)) } + [reader.end()].compactMap(\.self)
  }

  @Test(arguments: [
    (["a\nb\n"], ["a", "b"]), (["a", "b\nc"], ["ab", "c"]), (["\n\r\n", "a\r\n"], ["a"]), ([], []), (["a"], ["a"]),
    // A byte-order mark.
    (["\u{FEFF}a\n", "\u{FEFF}b\n"], ["a", "\u{FEFF}b"]), (["\u{FEFF}"], []),
  ])
  func splits(_ pieces: [String], _ expected: [String]) {
    #expect(lines(pieces) == expected.map { .complete(Array($0.utf8)) })
  }

  @Test func skipsALineThatIsTooLong() {
    let long = String(repeating: "x", count: LineReader.maximumBytes)
    #expect(lines([long, "\n"]) == [.complete(Array(long.utf8))])
    #expect(lines(["a\n", long, "x", "yz\nb\n"]) == [.complete([0x61]), .tooLong, .complete([0x62])])
    #expect(lines([long, "x"]) == [.tooLong])
  }
}
