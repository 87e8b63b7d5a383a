import Foundation
import Languages

extension Texts {
  /// The texts in the language that the user has chosen with the environment.
  package static let ofUser = of(Language(environment: ProcessInfo.processInfo.environment))
}
