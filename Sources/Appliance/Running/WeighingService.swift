import ServiceLifecycle

/// Ends the weighing loop with the appliance.
struct WeighingService: NamedService {
  let description = "weighing"
  let loop: WeighingLoop

  func run() async throws {
    try? await gracefulShutdown()
    loop.stop()
  }
}
