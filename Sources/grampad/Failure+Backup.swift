import Appliance
import Backup
import Glibc

extension Failure {
  init(_ fault: BackupError) {
    switch fault {
    case .configuration(let error): self.init(error)
    case .journal(let error): self.init(error)
    case .file(let file): self.init(Self.code(file), fault.description)
    case .journalAltered, .refused: self.init(.badData, fault.description)
    case .inUse, .program: self.init(.unavailable, fault.description)
    case .wouldLose: self.init(.rejected, fault.description)
    case .occupied, .isJournal, .noFolder: self.init(.cannotCreate, fault.description)
    }
  }

  private static func code(_ fault: FileFault) -> Sysexit {
    switch (fault.errno, fault.doing) {
    case (EACCES, _), (EPERM, _): .noPermission
    case (ENOSPC, _), (EDQUOT, _), (EIO, _): .inputOutput
    case (_, .open): .noInput
    case (_, .make), (_, .keep), (_, .replace): .cannotCreate
    case (_, .read), (_, .write): .inputOutput
    }
  }
}
