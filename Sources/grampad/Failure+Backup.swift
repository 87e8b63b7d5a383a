import Backup
import Commands
import SystemPackage

extension Failure {
  init(_ error: BackupError) {
    switch error {
    case .configuration(let cause): self.init(cause)
    case .journal(let cause): self.init(cause)
    case .file(let file): self.init(Self.code(file), error.sentence)
    case .journalAltered, .refused: self.init(.badData, error.sentence)
    case .inUse, .program: self.init(.unavailable, error.sentence)
    case .wouldLose: self.init(.rejected, error.sentence)
    case .occupied, .isJournal, .noFolder: self.init(.cannotCreate, error.sentence)
    }
  }

  private static func code(_ failure: FileFailure) -> Sysexit {
    switch (failure.errno, failure.operation) {
    case (.permissionDenied, _), (.notPermitted, _): .noPermission
    case (.noSpace, _), (.diskQuotaExceeded, _), (.ioError, _): .inputOutput
    case (_, .open): .noInput
    case (_, .create), (_, .keep), (_, .replace): .cannotCreate
    case (_, .read), (_, .write): .inputOutput
    }
  }
}
