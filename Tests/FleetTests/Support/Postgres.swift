import Foundation
import FreePorts
import Synchronization
import Testing

@testable import Fleet

/// A real PostgreSQL on loopback.
final class Postgres: Sendable {
  /// The server of all tests that do not kill it, started at the first use; each test has a database of its own.
  private static let shared = Result { try Postgres() }

  let port: UInt16
  private let folder: Folder
  private let server = Mutex<Child?>(nil)

  private static func program(_ name: String) throws -> String {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let newest = try #require(versions.compactMap { Int($0) }.max(), "PostgreSQL is not installed")
    return "/usr/lib/postgresql/\(newest)/bin/\(name)"
  }

  /// Makes and starts a server. PostgreSQL refuses to run as root, so it runs as the user of Debian's package.
  init() throws {
    folder = try Folder()
    port = FreePort.any()
    let arguments = [
      "-D", "\(folder.path)/data", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale",
    ]
    try #require(try Child.run(try Self.program("initdb"), arguments, user: "postgres") == 0)
    try start()
  }

  /// Starts the server, again too.
  func start() throws {
    let child = try Child(
      try Self.program("postgres"),
      [
        "-D", "\(folder.path)/data", "-p", "\(port)", "-k", folder.path, "-c", "listen_addresses=127.0.0.1", "-c",
        "fsync=off",
      ],
      user: "postgres", output: "\(folder.path)/log")
    server.withLock { $0 = child }
    try eventually("PostgreSQL accepts connections") {
      try #require(child.isRunning, "PostgreSQL has ended: see \(folder.path)/log")
      return (try? PostgresConnection(url("postgres"))) != nil
    }
  }

  /// Kills the server with all its connections.
  func kill() { server.withLock { $0 }?.kill() }

  /// Stops the server as a frozen machine would: it keeps its connections, and new ones are not answered.
  ///
  /// - Parameter backend: The server process of the connection to freeze as well.
  func freeze(backend: pid_t) {
    server.withLock { $0 }?.send(SIGSTOP)
    Glibc.kill(backend, SIGSTOP)
  }

  /// The connection string of a database, for a role.
  func url(_ database: String, role: String = "postgres") -> String {
    "postgresql://\(role)@127.0.0.1:\(port)/\(database)"
  }

  /// The path of a file of the project.
  static func path(_ file: String) -> String {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    return folder.appending(path: "../../..").appending(path: file).standardized.path
  }

  /// Performs a file of the project in a database with psql(1), as the superuser.
  func perform(file: String, in database: String) throws {
    let arguments = [
      "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--host", "127.0.0.1", "--port", "\(port)", "--username", "postgres",
      "--dbname", database, "--file", Self.path(file),
    ]
    try #require(try Child.run("/usr/bin/psql", arguments, output: "\(folder.path)/psql") == 0)
  }

  /// Makes an empty database and returns its connection string.
  func makeDatabase() throws -> String {
    let name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
    try PostgresConnection(url("postgres")).perform("CREATE DATABASE \(name)")
    return url(name)
  }

  /// Makes an empty database on the shared server and returns its connection string.
  static func database() throws -> String { try shared.get().makeDatabase() }
}
