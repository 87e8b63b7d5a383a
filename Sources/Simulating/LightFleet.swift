import Glibc
import Linux
import Logging
import SystemPackage
import Weighing

/// Thousands of light devices on one thread.
package final class LightFleet: Sendable {
  private let settings: LightFleetSettings
  private let logger: Logger
  private let stopped = Signal()

  /// Makes a fleet; it does nothing until `run`.
  package init(_ settings: LightFleetSettings, logger: Logger) {
    (self.settings, self.logger) = (settings, logger)
  }

  /// How often to make weighings.
  private static let tick = Interval.milliseconds(10)
  /// How often to look at the deadlines of all devices.
  private static let interval = Interval.milliseconds(50)
  private static let reportInterval = Interval.seconds(10)
  /// Connections per second at the start.
  private static let connectionRate = 1000.0
  /// Maximum time to wait for all devices to connect before the first weighing, after the time that the rate requires.
  private static let connectionPatience = Interval.seconds(10)
  /// Maximum time to say goodbye.
  private static let endDeadline = Interval.seconds(5)

  /// Runs until all weighings are delivered, or until `stop`; blocks the calling thread.
  ///
  /// The weighings begin once all devices are connected, or a while later if that does not succeed, and after the delay.
  package func run() throws(LightFleetError) -> LightFleetSummary {
    // In addition to the connections: the poller, the signals, the output.
    let descriptors = settings.count + 32
    DescriptorLimit.raise(to: descriptors + DescriptorLimit.inUse)
    if let shortage = DescriptorLimit.shortage(of: descriptors) { throw .tooFewDescriptors(shortage) }
    let context = try LightContext(settings, at: .current(), logger: logger)
    context.watch(stopped)
    let start = Instant.now()
    let devices = (1...settings.count).map {
      LightDevice($0, context, connectingAt: start + .seconds(Double($0) / Self.connectionRate))
    }
    work(devices, context, since: start)
    end(devices, context)
    if let file = settings.records {
      do throws(Errno) {
        try file.write(devices)
      } catch {
        throw .recordsNotWritten(path: file.path, error.description, context.summary)
      }
    }
    return context.summary
  }

  /// Ends `run`.
  package func stop() { stopped.raise() }

  private func work(_ devices: [LightDevice], _ context: LightContext, since start: Instant) {
    var next = 0
    var nextCheck = start
    var nextReport = start + Self.reportInterval
    var isComplete = false
    var begin: Instant?
    let latestBegin = start + .seconds(Double(devices.count) / Self.connectionRate) + Self.connectionPatience
    while !stopped.wait(milliseconds: 0) {
      context.wait(until: .now() + Self.tick)
      let moment = context.moment
      let now = moment.now
      if begin == nil, context.summary.connected == devices.count || latestBegin <= now { begin = now + settings.delay }
      let seconds = begin.map { max(0, (now - $0).seconds) } ?? 0
      let due = min(settings.weighings ?? .max, Int(seconds * settings.rate))
      while context.summary.recorded < due {
        devices[next].weigh(at: moment)
        next = (next + 1) % devices.count
      }
      if nextCheck <= now {
        nextCheck = now + Self.interval
        for device in devices { device.work(at: moment) }
      }
      if nextReport <= now {
        nextReport = now + Self.reportInterval
        logger.info("simulating", metadata: ["fleet.summary": "\(context.summary.json)"])
      }
      if !isComplete, context.summary.delivered == settings.weighings {
        isComplete = true
        logger.notice("all weighings are delivered", metadata: ["fleet.summary": "\(context.summary.json)"])
        if !settings.stays { return }
      }
    }
  }

  /// Disconnects all devices.
  private func end(_ devices: [LightDevice], _ context: LightContext) {
    let deadline = Instant.now() + Self.endDeadline
    for device in devices { device.end(at: context.moment) }
    while !devices.allSatisfy(\.hasEnded), .now() < deadline {
      context.wait(until: .now() + Self.tick)
      for device in devices { device.work(at: context.moment) }
    }
  }
}
