import Foundation
import Testing

@testable import Fleet

/// Connection strings that no server can make work; `libpq-connect` of the documentation of PostgreSQL.
@Suite struct ConnectionStringTests {
  private func failure(_ url: String) -> FleetError? {
    do throws(FleetError) {
      _ = try FleetDatabase.connect(url)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("", "it is empty"),
    (" \t", "it is empty"),
    ("foo bar", #"missing "=" after "foo""#),
    ("grampad", #"missing "=" after "grampad""#),
    ("postgresql://127.0.0.1:1/x?foo=1", #"invalid URI query parameter: "foo""#),
    ("postgresql://a%zz@127.0.0.1:1/x", "invalid percent-encoded token"),
    ("host=127.0.0.1 password='abc", "unterminated quoted string"),
    ("postgresql://127.0.0.1:99999/x", #"invalid port number: "99999""#),
    ("postgresql://127.0.0.1:x/x", #"invalid integer value "x""#),
    ("postgresql://127.0.0.1:1/x?target_session_attrs=foo", #"invalid target_session_attrs value: "foo""#),
    ("postgresql://127.0.0.1:1/x?sslmode=foo", #"invalid sslmode value: "foo""#),
    ("host=127.0.0.1,127.0.0.1 port=1,2,3", "could not match 3 port numbers to 2 hosts"),
  ])
  func anInvalidOneIsNamed(_ url: String, _ words: String) {
    guard case .connectionString(let error)? = failure(url) else {
      Issue.record("\(url): \(String(describing: failure(url)))")
      return
    }
    #expect(error.message.contains(words) && !error.message.contains("\n"), "\(error)")
  }

  @Test(arguments: [
    "postgresql://127.0.0.1:1/x", "host=127.0.0.1 port=1",
    "postgresql://grampad.invalid/x", "host=/nosuch",
    "postgresql://127.0.0.1:1/x?target_session_attrs=read-write",
    // The first host may be back at the next attempt.
    "postgresql://127.0.0.1:1,127.0.0.1:99999/x", "postgresql://127.0.0.1:99999,127.0.0.1:1/x",
  ])
  func anUnreachableServerIsNotTheFaultOfTheString(_ url: String) {
    guard case .database? = failure(url) else {
      Issue.record("\(url): \(String(describing: failure(url)))")
      return
    }
  }

  @Test(arguments: [
    "postgres:/anna:secret@h/x", "postgresql://anna:secret@[::1/x", "postgresql//anna:secret@a,h/x",
  ])
  func aPasswordIsNotPrinted(_ url: String) throws {
    let error = try #require(failure(url))
    #expect("\(error)".contains("...@") && !"\(error)".contains("secret"), "\(error)")
  }

  @Test(arguments: [["collect", "--broker", "mqtt://127.0.0.1:1"], ["collect", "--migrate"], ["fleet"]])
  func theServiceStaysStopped(_ words: [String]) throws {
    let folder = try Folder()
    for url in ["foo bar", "", "postgresql://127.0.0.1:1/x?target_session_attrs=foo"] {
      let code = try Child.run(
        "\(Child.products)/grampad", words + ["--database", url], output: "\(folder.path)/log")
      let log = try String(contentsOfFile: "\(folder.path)/log", encoding: .utf8)
      #expect(code == 78 && log.hasPrefix("grampad: the connection string of the database is invalid: "), "\(log)")
    }
  }
}
