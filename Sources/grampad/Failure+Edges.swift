import Appliance
import Commands
import EvdevInput
import IIOInput
import Journal

extension Failure {
  init(_ error: EvdevError) {
    let code: Sysexit =
      switch error {
      case .notFound, .notEvdev, .unsuitable, .lost: .noInput
      case .notPermitted: .noPermission
      case .grabbed: .unavailable
      case .system: .inputOutput
      }
    self.init(code, error.sentence)
  }

  init(_ error: IIOError) {
    let code: Sysexit =
      switch error {
      case .notFound, .removed, .unsuitable: .noInput
      case .notPermitted: .noPermission
      case .busy: .unavailable
      case .silent, .malformed, .changed, .system: .inputOutput
      }
    self.init(code, error.sentence)
  }

  init(_ error: JournalError) {
    let code: Sysexit =
      switch error {
      case .notFound: .noInput
      case .notPermitted, .readOnly: .noPermission
      case .cannotCreate: .cannotCreate
      case .corrupt, .foreign: .badData
      default: .inputOutput
      }
    self.init(code, error.sentence)
  }

  init(_ error: ApplianceError) {
    let code: Sysexit =
      switch error {
      case .broker: .unavailable
      case .password, .token: .configuration
      case .failed: .internal
      }
    self.init(code, error.sentence)
  }
}
