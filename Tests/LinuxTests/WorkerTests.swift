import Synchronization
import Testing
import Weighing

@testable import Linux

struct WorkerTests {
  private final class Seen: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  /// Starts a worker that notes its requests until it is stopped.
  private func start(_ worker: Worker<Int>, _ seen: Seen, until deadline: Instant? = nil) {
    worker.start { inbox in
      while true {
        let (numbers, isStopping) = inbox.take()
        seen.numbers.withLock { $0 += numbers }
        if isStopping { return }
        inbox.wait(until: deadline)
      }
    }
  }

  @Test func takesEverythingInOrderAndThenEnds() {
    let (worker, seen) = (Worker<Int>("test"), Seen())
    for number in 0..<100 { worker.send(number) }
    start(worker, seen)
    for number in 100..<1000 { worker.send(number) }
    worker.stop(within: nil)
    #expect(seen.numbers.withLock { $0 } == Array(0..<1000))
  }

  @Test func refusesWhatWouldBeTooMuch() {
    let worker = Worker<Int>("test", capacity: 2)
    #expect((0..<4).map { worker.send($0) } == [true, true, false, false])
  }

  @Test func replacesWhatStillWaits() {
    let (worker, seen) = (Worker<Int>("test"), Seen())
    for number in 0..<6 { worker.send(number) { $0.isMultiple(of: 2) } }
    start(worker, seen)
    worker.stop(within: nil)
    #expect(seen.numbers.withLock { $0 } == [1, 3, 5])
  }

  @Test func isWokenWithoutARequest() {
    let (worker, woken) = (Worker<Never>("test"), Signal())
    worker.start { inbox in
      while true {
        inbox.wait(until: nil)
        if inbox.take().isStopping { return }
        woken.raise()
      }
    }
    worker.wakeUp()
    #expect(woken.wait(within: .seconds(60)) && !worker.hasEnded)
    worker.stop(within: nil)
    #expect(worker.hasEnded)
  }

  @Test func endsAtOnceIfItWasStoppedBefore() {
    let (worker, seen) = (Worker<Int>("test"), Seen())
    worker.stop(within: nil)
    #expect(!worker.hasEnded, "there is no thread to wait for")
    start(worker, seen)
    worker.stop(within: nil)
    #expect(worker.hasEnded)
  }

  @Test func theResultOfAFunctionComesInTimeOrNotAtAll() {
    let gate = Signal()
    #expect(Worker.result(of: { 5 }, on: "test", within: .seconds(60)) == 5)
    #expect(Worker.result(of: { gate.wait(milliseconds: -1) }, on: "test", within: .milliseconds(1)) == nil)
    gate.raise()
  }

  /// A thread that hangs does not hold up the one that stops it.
  @Test func theWaitForItsEndIsLimited() {
    let (worker, gate) = (Worker<Int>("test"), Signal())
    worker.start { _ in _ = gate.wait(milliseconds: -1) }
    worker.stop(within: .milliseconds(1))
    gate.raise()
    worker.stop(within: nil)
  }

  @Test func performsFunctionsInOrder() {
    let (worker, seen) = (Worker<@Sendable () -> Void>("test"), Seen())
    worker.startPerforming()
    for number in 0..<100 { worker.send { seen.numbers.withLock { $0.append(number) } } }
    worker.stop(within: nil)
    #expect(seen.numbers.withLock { $0 } == Array(0..<100))
  }
}
