import Backup
import SystemPackage

extension Failure {
  init(_ error: BackupError) {
    switch error {
    case .configuration(let cause): self.init(cause)
    case .journal(let cause): self.init(cause)
    case .file(let file): self.init(Self.code(file), error.description)
    case .journalAltered, .refused: self.init(.badData, error.description)
    case .inUse, .program: self.init(.unavailable, error.description)
    case .wouldLose: self.init(.rejected, error.description)
    case .occupied, .isJournal, .noFolder: self.init(.cannotCreate, error.description)
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
