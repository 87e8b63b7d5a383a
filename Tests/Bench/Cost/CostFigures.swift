/// Computes the figures of the report from the results.
struct CostFigures {
  private let results: CostBench.Results
  private(set) var all: [Figure] = []

  init(_ results: CostBench.Results) {
    self.results = results
    for workload in results.byWorkload.keys.sorted(by: {
      ($0.rate == 0 ? .max : $0.rate) < ($1.rate == 0 ? .max : $1.rate)
    }) {
      if workload.rate == 0 { addFlatOut(workload) } else { addPaced(workload) }
    }
    addIdle()
    addMemory()
    addStart()
    addCounted()
    addWhole()
  }

  private mutating func addPaced(_ workload: Workload) {
    let runs = results.byWorkload[workload] ?? [:]
    add("cpu_per_reading", "us", workload.text, runs, \.cpuPerReading)
    add("latency_p50", "us", workload.text, runs, \.p50Us)
    add("latency_p99", "us", workload.text, runs, \.p99Us)
    add("switches_per_reading", "1", workload.text, runs) { Double($0.switches) / Double(max($0.readings, 1)) }
    add("published_share", "1", workload.text, runs) { Double($0.matched) / Double($0.frames) }
    if workload.rate == 1000 {
      addRatio(
        "cpu_per_reading_to_c", workload.text, runs, to: .c, \.cpuPerReading,
        Goal("CPU per reading to C's at 1000/s", .atMost, 1.4))
      addRatio(
        "cpu_per_reading_to_python", workload.text, runs, to: .python, \.cpuPerReading,
        Goal("CPU per reading to Python's at 1000/s", .below, 0.5))
    }
    addRatio(
      "latency_p99_to_c", workload.text, runs, to: .c, \.p99Us,
      Goal("p99 latency to C's at \(workload.text)", .atMost, 1.5))
  }

  /// At full speed, Grampad publishes at most `publish.live_max_hz` readings; the frames in between contribute to them.
  private mutating func addFlatOut(_ workload: Workload) {
    let runs = results.byWorkload[workload] ?? [:]
    add("frames_read", "1/s", workload.text, runs) { Double($0.frames) / $0.readS }
    add("readings_arrived", "1/s", workload.text, runs) { Double($0.readings) / $0.arrivedS }
    add("cpu_per_frame", "us", workload.text, runs) { $0.cpuS * 1e6 / Double($0.frames) }
    add("published_share", "1", workload.text, runs) { Double($0.readings) / Double($0.frames) }
    add("readings_torn", "1", workload.text, runs) { Double($0.torn) }
    add("complaints_logged", "1", workload.text, runs) { Double($0.complaints.count) }
  }

  private mutating func addIdle() {
    add("wake_ups", "1/s", "at rest", results.idle) {
      Double($0.idleSwitches) / $0.idleS
    } goal: { program in
      program == .grampad || program == .full ? Goal("wake-ups at rest", .below, 1) : nil
    }
    add("cpu", "us/s", "at rest", results.idle) { $0.idleCpuS * 1e6 / $0.idleS }
  }

  private mutating func addMemory() {
    let paced = results.byWorkload.first { $0.key.rate == CostBench.rates.last }?.value ?? [:]
    add("resident_memory", "MB", "1000/s", paced, \.memory)
    for (program, run) in results.million.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let on = "\(run.frames) frames"
      let isFull = program == .full
      all.append(
        Figure(
          "resident_memory", "MB", on: on, of: program.rawValue, run.memory,
          goal: isFull ? Goal("resident memory, everything on", .below, 40) : nil))
      // The limit allows for the allocator. One leaked byte per frame would be 0.9 MB.
      all.append(
        Figure(
          "memory_growth", "MB", on: on, of: program.rawValue, run.growth,
          goal: isFull ? Goal("memory grown since a tenth of them", .below, 0.5) : nil))
    }
  }

  private mutating func addStart() {
    var runs: [CostProgram: [TestStandResult]] = [:]
    for workload in results.byWorkload.values { runs.merge(workload) { $0 + $1 } }
    add("start_to_first_reading", "ms", "start", runs) { $0.startS * 1000 }
  }

  private mutating func addCounted() {
    for program in CostProgram.allCases {
      guard let counts = results.counted[program] else { continue }
      let name = program.rawValue
      if let instructions = counts.instructions {
        all.append(Figure("instructions_per_reading", "1", on: "100/s", of: name, instructions))
      }
      all.append(Figure("system_calls_per_reading", "1", on: "125/s", of: name, counts.systemCalls))
      all.append(Figure("published_share", "1", on: "counted", of: name, counts.publishedShare))
    }
  }

  /// Shows that all programs publish the same: a reading and a display text of the same size for each frame.
  private mutating func addWhole() {
    let runs = results.whole.mapValues { [$0] }
    add("payload", "byte", "live", runs, \.payloadBytes)
    add("other_messages_per_reading", "1", "125/s", runs) { Double($0.others) / Double(max($0.readings, 1)) }
  }

  private mutating func add(
    _ what: String, _ unit: String, _ on: String, _ runs: [CostProgram: [TestStandResult]],
    _ value: (TestStandResult) -> Double, goal: (CostProgram) -> Goal? = { _ in nil }
  ) {
    for program in CostProgram.allCases {
      guard let values = runs[program]?.map(value), !values.isEmpty else { continue }
      let complaint = runs[program]?.lazy.flatMap(\.complaints).first
      all.append(
        Figure(
          what, unit, on: on, of: program.rawValue, values.median,
          spread: values.count > 1 ? .quartiles(of: values) : nil, goal: goal(program), remark: complaint))
    }
  }

  /// Adds the median of the ratios to a peer. Each ratio is that of one round, so that load on the machine during a round
  /// affects both values.
  private mutating func addRatio(
    _ what: String, _ on: String, _ runs: [CostProgram: [TestStandResult]], to peer: CostProgram,
    _ value: (TestStandResult) -> Double, _ goal: Goal
  ) {
    for program in [CostProgram.grampad, .full] {
      let ratios = zip(runs[program] ?? [], runs[peer] ?? []).map { value($0) / value($1) }
      guard !ratios.isEmpty else { continue }
      all.append(
        Figure(
          what, "1", on: on, of: program.rawValue, ratios.median, spread: .quartiles(of: ratios),
          goal: program == .grampad ? goal : nil))
    }
  }
}

extension [Double] {
  fileprivate var median: Double { sorted().quantile(0.5) }
}
