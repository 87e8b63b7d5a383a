import Weighing

/// Drives the whole machine with the samples of a cell, from deadline to deadline, as `run` does.
protocol CellDriver {
  /// The time of the first sample.
  var start: Instant { get }
  var cell: BenchCell { get }
  /// The machine and what feeds it.
  var scale: CellMachine { get set }

  /// Observes the machine after each step.
  mutating func observe(at time: Instant)
}

extension CellDriver {
  /// The instant of a time in seconds since the first sample.
  func instant(_ time: Double) -> Instant { start + .seconds(time) }
  /// The seconds from the first sample to an instant.
  func seconds(_ instant: Instant) -> Double { (instant - start).seconds }

  /// Delivers a sample.
  mutating func deliver(_ counts: Int32, at time: Instant) {
    advance(to: Instant(nanoseconds: time.nanoseconds - 1))
    if !cell.dropsRepeats || counts != scale.last {
      if scale.last == nil { scale.send(.key, KeyCode.touch.rawValue, 1, at: time) }
      scale.send(.absolute, AxisCode.pressure.rawValue, counts, at: time)
      if let frame = scale.send(.synchronization, SynchronizationCode.report, 0, at: time) {
        scale.handle(.frame(frame), at: time)
        observe(at: time)
      }
      scale.last = counts
    }
    advance(to: time)
  }

  /// Advances the time.
  mutating func advance(to time: Instant) {
    while let due = scale.machine.nextDeadline, due <= time {
      scale.advance(to: due)
      observe(at: due)
    }
    scale.advance(to: time)
    observe(at: time)
  }
}

/// A machine, what it has asked for, and the assembler of its frames.
struct CellMachine: Sendable {
  private(set) var machine: ScaleMachine
  private var assembler: FrameAssembler
  /// What the machine has asked for since the last observation.
  var effects: [Effect] = []
  /// The counts that were sent last.
  var last: Int32?

  /// Connects a cell.
  init(_ cell: BenchCell, _ settings: ScaleSettings, at start: Instant) throws {
    machine = ScaleMachine(settings: settings, at: start)
    assembler = try FrameAssembler(pad: cell.description, axis: settings.axis)
    machine.handle(.padFound(cell.description), at: start, into: &effects)
  }

  /// Passes an input to the machine.
  mutating func handle(_ input: ScaleMachine.Input, at time: Instant) {
    machine.handle(input, at: time, into: &effects)
  }

  /// Advances the machine.
  mutating func advance(to time: Instant) { machine.advance(to: time, into: &effects) }

  /// Passes an event of the pad; returns the frame that it completes.
  @discardableResult
  mutating func send(_ type: EventType, _ code: UInt16, _ value: Int32, at time: Instant) -> Frame? {
    assembler.handle(InputEvent(time: time, type: type, code: code, value: value))
  }
}
