import Linux
import Logging
import Messages
import Weighing

/// What the devices of a fleet share, all on one thread.
final class LightContext {
  let settings: LightFleetSettings
  private let addresses: [BrokerAddress: SocketAddress]
  let origin: LightJournal.Origin
  private let clock: ClockState
  /// What the devices have done together.
  var summary = LightFleetSummary()
  /// Why some of them are not connected.
  var outage: LightOutage
  /// For the delays between attempts.
  var generator = SystemRandomNumberGenerator()
  /// For reading from sockets.
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private let poller = Poller()
  /// The devices by descriptor, and what is watched for.
  private var watched: [(device: LightDevice, readiness: Poller.Readiness)?] = []

  init(_ settings: LightFleetSettings, at moment: Moment, logger: Logger) throws(LightFleetError) {
    (self.settings, clock) = (settings, moment.clock)
    outage = LightOutage(logger: logger)
    var addresses: [BrokerAddress: SocketAddress] = [:]
    for broker in settings.brokers { addresses[broker] = try SocketAddress(broker) }
    self.addresses = addresses
    origin = LightJournal.Origin(seed: settings.seed, start: moment.wall, lostShare: settings.lostShare)
  }

  deinit { buffer.deallocate() }

  /// Starts connecting to one of the brokers of the settings.
  func connect(to broker: BrokerAddress, _ version: ProtocolVersion) throws(LightConnection.End) -> LightConnection {
    guard let address = addresses[broker] else { throw .closed }
    return try LightConnection(to: address, version: version)
  }

  /// Watches the socket of a device.
  func watch(_ descriptor: Int32, for readiness: Poller.Readiness, of device: LightDevice) {
    let index = Int(descriptor)
    if index >= watched.count { watched += Array(repeating: nil, count: index + 1 - watched.count) }
    guard watched[index]?.readiness != readiness else { return }
    watched[index] = (device, readiness)
    poller.watch(descriptor, for: readiness)
  }

  /// Stops watching a socket that will be closed.
  func forget(_ descriptor: Int32) {
    let index = Int(descriptor)
    if index < watched.count, watched[index] != nil {
      watched[index] = nil
      poller.forget(descriptor)
    }
  }

  /// Ends `wait` when the signal is raised.
  func watch(_ signal: Signal) { poller.watch(signal.descriptor, for: [.readable, .once]) }

  /// What the clocks show now; the state of synchronisation is that of the start.
  var moment: Moment { Moment(now: .now(), wall: .wallClock(), clock: clock) }

  /// Passes on what is ready until a deadline.
  func wait(until deadline: Instant) {
    repeat {
      var isIdle = true
      poller.wait(until: deadline) { descriptor, readiness in
        isIdle = false
        let index = Int(descriptor)
        if index < watched.count { watched[index]?.device.advance(readiness, at: moment) }
      }
      if isIdle { return }
    } while .now() < deadline
  }
}
