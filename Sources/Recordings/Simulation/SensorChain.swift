import Glibc
import Weighing

/// The effects on the force between the plate and the converter: ringing, hysteresis, creep, curve and noise.
struct SensorChain: Sendable {
  private let physics: PadPhysics

  /// The state of the plate: the force on the sensor and its rate per second.
  private var felt = 0.0
  private var speed = 0.0
  private var lastApplied = 0.0
  /// Exact propagation of a damped oscillator over one step of constant force, as a 2x2 matrix.
  private let propagation: (a: Double, b: Double, c: Double, d: Double)

  /// 0 on the rising branch, 1 on the falling one.
  private var branch = 0.0
  private var lastForce = 0.0

  /// The part of the force in each of the relaxations.
  private var relaxed: InlineArray<6, Double> = .init(repeating: 0)
  private let relaxation: InlineArray<6, Double>

  /// The force on the sensor in grams, with the ringing of the plate, before the effects of the sensor.
  var force: Double { max(felt, 0) }

  /// The envelope of the ringing of the plate in grams.
  var unrest: Double {
    guard physics.resonance > 0 else { return 0 }
    let swing = speed / (2 * .pi * physics.resonance)
    return ((felt - lastApplied) * (felt - lastApplied) + swing * swing).squareRoot()
  }

  init(physics: PadPhysics, step: Double) {
    self.physics = physics
    propagation = Self.propagation(physics, step)
    // Time constants one decade apart, 0.3 s to 30,000 s: the sum of such relaxations grows with the logarithm of time
    // within a tenth, and is linear in the load, so that steps add up and unloading recovers (Boltzmann).
    func share(_ time: Double) -> Double { 1 - exp(-step / time) }
    relaxation = [share(0.3), share(3), share(30), share(300), share(3000), share(30000)]
  }

  /// Simulates one step under a force of `applied` grams; returns the counts before rounding and noise.
  mutating func advance(applied: Double) -> Double {
    lastApplied = applied
    if physics.resonance > 0 {
      let offset = felt - applied
      felt = applied + propagation.a * offset + propagation.b * speed
      speed = propagation.c * offset + propagation.d * speed
    } else {
      felt = applied
    }
    let force = self.force
    return physics.counts(at: Grams(creep(force, hysteresis(force))))
  }

  /// Applies an impulse to the plate, in grams of force times seconds.
  mutating func applyImpulse(_ impulse: Double) {
    let omega = 2 * .pi * physics.resonance
    speed += impulse * omega * omega
  }

  /// The falling branch reads `hysteresis` more than the rising one; a reversal crosses over within a quarter of the
  /// full scale (chosen; at the 10 % of an FSR the reading still falls with the force everywhere).
  private mutating func hysteresis(_ force: Double) -> Double {
    let change = force - lastForce
    lastForce = force
    let crossing = exp(-change.magnitude / (physics.fullScale.value / 4))
    branch = change > 0 ? branch * crossing : 1 - (1 - branch) * crossing
    return force * (1 + physics.hysteresis * branch)
  }

  private mutating func creep(_ force: Double, _ reading: Double) -> Double {
    guard physics.creepPerDecade > 0 else { return reading }
    var sum = 0.0
    for index in relaxed.indices {
      relaxed[index] += (force - relaxed[index]) * relaxation[index]
      sum += relaxed[index]
    }
    return reading + physics.creepPerDecade * sum
  }

  /// The solution of x'' + 2 z w x' + w^2 x = 0 after one step, for z below, at and above 1.
  private static func propagation(
    _ physics: PadPhysics, _ step: Double
  ) -> (a: Double, b: Double, c: Double, d: Double) {
    let omega = 2 * .pi * physics.resonance
    let decay = physics.damping * omega
    let square = omega * omega - decay * decay
    let rate = square.magnitude.squareRoot()
    let even: Double
    let odd: Double
    if rate * step < 1e-9 {
      (even, odd) = (1, step)
    } else if square > 0 {
      (even, odd) = (cos(rate * step), sin(rate * step) / rate)
    } else {
      (even, odd) = (cosh(rate * step), sinh(rate * step) / rate)
    }
    let fade = exp(-decay * step)
    return (
      a: fade * (even + decay * odd), b: fade * odd, c: -fade * omega * omega * odd, d: fade * (even - decay * odd)
    )
  }
}
