import Configuration
import Foundation
import Testing

@testable import Appliance

struct DashboardTokenTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("token-\(UUID().uuidString)")
  private static let secret = "0123456789abcdef"

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private func token(_ text: String?, environment: [String: String] = [:]) throws -> Bool {
    var configuration = Configuration.Dashboard()
    if let text {
      try Data(text.utf8).write(to: folder.appendingPathComponent("secret.txt"))
      configuration.tokenFile = "secret.txt"
    }
    return try configuration.token(environment: environment, folder: folder.path) != nil
  }

  @Test func comesFromTheFirstLineOrTheEnvironment() throws {
    #expect(try !token(nil))
    #expect(try token(Self.secret + "\nmore"))
    #expect(try token(nil, environment: ["GRAMPAD_DASHBOARD_TOKEN": Self.secret]))
    #expect(try token(Self.secret, environment: ["GRAMPAD_DASHBOARD_TOKEN": ""]))
  }

  @Test(arguments: ["", "\n\(secret)", "tooshort", "with a blank inside it"])
  func anUnusableOneIsRefusedWithoutShowingIt(_ text: String) {
    do {
      _ = try token(text)
      Issue.record("taken")
    } catch {
      let told = "\(error)"
      #expect(told.contains("secret.txt") && told.contains("dashboard.token_file"))
      #expect(!told.contains("tooshort") && !told.contains("blank"))
    }
  }

  @Test func aMissingFileIsRefused() {
    var configuration = Configuration.Dashboard()
    configuration.tokenFile = "nowhere.txt"
    #expect(throws: TokenError.self) { _ = try configuration.token(environment: [:], folder: folder.path) }
  }
}
