import Linux
import Messages
import Recordings
import Weighing

extension Appliance {
  /// Options and callbacks of the caller.
  package struct Options: Sendable {
    /// The ports that an embedded broker tries in order, 0 for any free one; `nil` for the configured one.
    package var embeddedPorts: [UInt16]?
    /// The behaviour of the simulated pad, if it is used.
    package var simulation = SimulatedPad.Setup.demonstration
    /// Whether users of the page can move the loads of the simulated pad, if it is used.
    package var isPadInteractive = false
    /// The actions to perform at the start, by name, each once.
    package var actions: [String] = []
    /// Whether weighings are kept only in memory, regardless of the configuration.
    package var keepsJournalInMemory = false
    /// Called once, when the broker is available and before the pad is opened, with the address of the embedded broker
    /// if there is one.
    package var onStart: @Sendable (BrokerAddress?) -> Void = { _ in }
    /// The ports that the dashboard tries in order, 0 for any free one; `nil` for the configured one.
    package var dashboardPorts: [UInt16]?
    /// Called with address and port of the dashboard once it listens.
    package var onDashboard: @Sendable (_ address: String, _ port: UInt16) -> Void = { _, _ in }
    /// Called with address and port of MT-SICS once it listens.
    package var onSICS: @Sendable (_ address: String, _ port: UInt16) -> Void = { _, _ in }
    /// The service manager that started the program, if any.
    package var serviceManager: NotifySocket?
    /// The sockets of the service manager for the dashboard, and what is wrong with those that it cannot use.
    package var sockets: [Result<ListeningSocket, ListeningSocketError>] = []
    /// Where the machine is set up, if the appliance runs from the image.
    package var machine: MachineFiles?
    /// Called with every effect, on the weighing thread; must not wait.
    package var onEffect: @Sendable (Effect) -> Void = { _ in }

    /// The options of `run`.
    package init() {}
  }
}
