import Configuration
import Keyboard
import Logging
import Messages
import Weighing

/// The keyboard that types the weighings, as a part of the appliance.
final class KeyboardService: Sendable {
  private let wedge: KeyboardWedge

  /// Makes a service; it does nothing until `start`. `nil` if the keyboard is off.
  init?(
    _ configuration: Configuration, logger: Logger, onChange: @escaping @Sendable (Health.Keyboard) -> Void
  ) {
    guard configuration.keyboard.isEnabled else { return nil }
    wedge = KeyboardWedge(KeyboardWedge.Settings(configuration.keyboard), logger: logger, onChange: onChange)
  }

  /// Types a weighing that was recorded just now; never waits. Voids and relabels are not typed, and neither is what a
  /// broker gets again.
  func handle(_ effect: Effect) {
    if case .weighing(let record, _) = effect, record.kind == .weighing { wedge.type(record) }
  }

  /// Applies another configuration.
  func apply(_ configuration: Configuration) { wedge.apply(KeyboardWedge.Settings(configuration.keyboard)) }

  /// Types from now on.
  func start() { wedge.start() }

  /// Ends the typing after the weighing that is being typed.
  func stop() { wedge.stop() }
}

extension KeyboardWedge.Settings {
  fileprivate init(_ keyboard: Configuration.Keyboard) { self.init(format: keyboard.format, layout: keyboard.layout) }
}
