/// smart-grind-by-weight: a stop by the latency of the start, then pulses that correct what is missing.
///
/// Idea: jaapp/smart-grind-by-weight at a2fd525, src/controllers/weight_grind_strategy.cpp, src/config/grind_control.h,
/// and src/hardware/circular_buffer_math/circular_buffer_math.cpp.
struct SmartGrindDoser: Doser {
  private enum Phase { case waiting, predicting, settling, deciding, pulsing, done }

  private var phase = Phase.done
  private var target = Double.infinity
  private var began = 0.0
  private var phaseBegan = 0.0
  /// The time from the start of the motor to the first flow, in seconds; `nil` before it.
  private var latency: Double?
  /// How many grams before the target it stops: 1 g until the flow is known.
  private var lead = 1.0
  private var pulseFlow = 0.0
  private var pulse = 0.0
  private var pulses = 0
  private var samples: [(time: Double, mass: Double)] = []
  /// The standard deviation of a settled load: 0.01 g, or 1.5 times the noise, as its comment recommends for noisy cells.
  private let settled: Double
  private let noise: Double

  /// In seconds, grams and grams per second.
  private static let (weightWindow, detectionWindow, flowWindow, pulseWindow) = (0.1, 0.5, 1.5, 2.5)
  private static let (settlingTime, precisionTime) = (0.2, 0.5)
  private static let leastFlow = 0.1
  private static let tolerance = 0.03
  private static let pulseFlows = (least: 1.0, usual: 1.5, most: 3.0)
  private static let pulseTimes = 0.075...0.3
  private static let mostPulses = 10

  init(noise: Double) { (self.noise, settled) = (noise, max(0.01, 1.5 * noise)) }

  var isDone: Bool { phase == .done }

  mutating func aim(at target: Double, at time: Double) {
    self.target = target
    (phase, latency, lead, pulses) = (.waiting, nil, 1, 0)
  }

  mutating func begin(at time: Double) {
    began = time
    change(to: .predicting, at: time)
  }

  mutating func process(_ sample: DoseSample) -> PlantCommand? {
    samples.append((sample.time, sample.net))
    samples.removeAll { $0.time < sample.time - Self.pulseWindow }
    let now = sample.time
    switch phase {
    case .waiting, .done: return nil
    case .predicting: return predict(now)
    case .settling:
      let wait = (latency ?? 0) + Self.settlingTime
      if now - phaseBegan >= wait, isSettled(Self.settlingTime, now) { change(to: .deciding, at: now) }
    case .deciding: return decide(now)
    case .pulsing: if now - phaseBegan >= pulse { change(to: .settling, at: now) }
    }
    return nil
  }

  private mutating func change(to phase: Phase, at time: Double) { (self.phase, phaseBegan) = (phase, time) }

  private mutating func predict(_ now: Double) -> PlantCommand? {
    // A first flow that noise alone would not make: four standard deviations of the slope of a line.
    let samples = Double(max(recent(Self.detectionWindow, now).count, 2))
    let least = max(Self.leastFlow, 4 * noise * (12 / samples).squareRoot() / Self.detectionWindow)
    if latency == nil, flow(Self.detectionWindow, now) >= least { latency = now - began }
    if let latency, now > began + latency + Self.flowWindow {
      let flow = flow(Self.flowWindow, now)
      if flow > Self.leastFlow { lead = latency * flow }
    }
    guard weight(Self.weightWindow, now) >= target - lead else { return nil }
    pulseFlow = strongestFlow(now)
    change(to: .settling, at: now)
    return .stop
  }

  private mutating func decide(_ now: Double) -> PlantCommand? {
    guard isSettled(Self.precisionTime, now) else { return nil }
    let missing = target - weight(Self.precisionTime, now)
    guard missing >= Self.tolerance, pulses < Self.mostPulses else {
      phase = .done
      return nil
    }
    let limits = Self.pulseFlows
    let flow = pulseFlow < limits.least ? limits.usual : min(pulseFlow, limits.most)
    pulse = min(max((missing - Self.tolerance) / flow, Self.pulseTimes.lowerBound), Self.pulseTimes.upperBound)
    pulses += 1
    change(to: .pulsing, at: now)
    return .pulse(pulse)
  }

  /// The samples of the last seconds.
  private func recent(_ window: Double, _ now: Double) -> ArraySlice<(time: Double, mass: Double)> {
    samples[(samples.firstIndex { $0.time >= now - window } ?? samples.endIndex)...]
  }

  /// The mean without the smallest and the largest sample.
  private func weight(_ window: Double, _ now: Double) -> Double {
    let masses = recent(window, now).map(\.mass).sorted()
    let kept = masses.count > 2 ? masses[1..<masses.count - 1] : masses[...]
    return kept.isEmpty ? samples[samples.count - 1].mass : kept.reduce(0, +) / Double(kept.count)
  }

  /// The slope of a line. The original has that of its ends, which noise of the cells here would make useless.
  private func flow(_ window: Double, _ now: Double) -> Double { slope(recent(window, now)) }

  /// The 95th percentile of the flows in windows of 0.3 s.
  private func strongestFlow(_ now: Double) -> Double {
    let flows = (0..<23).compactMap { number -> Double? in
      let end = now - 0.1 * Double(number)
      let part = samples.filter { (end - 0.3...end).contains($0.time) }
      return part.count < 3 ? nil : slope(part[...])
    }
    return flows.count < 3 ? flow(Self.pulseWindow, now) : flows.sorted().quantile(0.95)
  }

  private func isSettled(_ window: Double, _ now: Double) -> Bool {
    let masses = recent(window, now).map(\.mass)
    guard masses.count > 1 else { return true }
    let mean = masses.reduce(0, +) / Double(masses.count)
    return (masses.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(masses.count - 1)).squareRoot() <= settled
  }
}
