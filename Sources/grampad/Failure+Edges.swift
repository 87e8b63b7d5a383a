import Appliance
import Backup
import Calibrating
import Commands
import Enrolling
import EvdevInput
import IIOInput
import Journal
import Languages
import Weighing

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

extension EvdevError: CommandError { package var failure: Failure { Failure(self) } }
extension IIOError: CommandError { package var failure: Failure { Failure(self) } }
extension JournalError: CommandError { package var failure: Failure { Failure(self) } }
extension ApplianceError: CommandError { package var failure: Failure { Failure(self) } }
extension MeasurementError: CommandError { package var failure: Failure { Failure(self) } }
extension BackupError: CommandError { package var failure: Failure { Failure(self) } }
extension EnrollmentError: CommandError { package var failure: Failure { Failure(self) } }
extension UnusableCalibrationError: CommandError {
  package var failure: Failure { Failure(.configuration, sentence.about("calibration.points")) }
}
