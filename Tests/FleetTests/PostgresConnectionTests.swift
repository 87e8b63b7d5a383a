import Glibc
import Testing
import Weighing

@testable import Fleet

@Suite struct PostgresConnectionTests {
  private func failure(_ sql: String, _ connection: borrowing PostgresConnection) -> PostgresError? {
    do throws(PostgresError) {
      try connection.perform(sql)
      return nil
    } catch {
      return error
    }
  }

  @Test func anAnswerThatDoesNotArriveEndsTheConnection() throws {
    var connection = try PostgresConnection(Postgres.database())
    connection.answerDeadline = .milliseconds(200)
    let start = ContinuousClock.now
    #expect(failure("SELECT pg_sleep(60)", connection)?.message == "the server does not answer")
    // A late answer must not count as that of the next request.
    #expect(failure("SELECT 1", connection) != nil)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func aServerThatHangsIsAbandonedLongBeforeTheDeadline() throws {
    let (hanging, healthy) = (try Postgres(), try Postgres())
    // The other server of the list answers, but not for this one.
    let hosts = [hanging, healthy].map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    var connection = try PostgresConnection("postgresql://postgres@\(hosts)/postgres")
    connection.answerDeadline = .seconds(60)
    let backend = try #require(try connection.perform("SELECT pg_backend_pid()")[0][0].flatMap { pid_t($0) })
    hanging.freeze(backend: backend)
    // A stopped process survives the end of its server.
    defer { kill(backend, SIGKILL) }
    let start = ContinuousClock.now
    #expect(failure("SELECT 1", connection)?.message == "the server does not answer")
    #expect(ContinuousClock.now - start < .seconds(40))
  }

  @Test func aSlowServerGetsAllItsTime() throws {
    var connection = try PostgresConnection(Postgres.database())
    connection.answerDeadline = .seconds(60)
    // Twice the time after which the server is tested, and more.
    #expect(try connection.perform("SELECT 1 FROM pg_sleep(8)") == [["1"]])
  }

  @Test func largeRequestsAreSentCompletely() throws {
    var connection = try PostgresConnection(Postgres.database())
    connection.answerDeadline = .seconds(60)
    // More than the buffers of both sockets hold.
    let text = String(repeating: "0123456789", count: 2_000_000)
    let rows = try connection.perform("SELECT length($1), reverse(reverse($1)) = $1", [text])
    #expect(rows == [["20000000", "t"]])
  }

  @Test func theFirstErrorOfSeveralStatementsIsReported() throws {
    let connection = try PostgresConnection(Postgres.database())
    var state: String?
    do throws(PostgresError) {
      try connection.perform("CREATE TABLE one (id int); SELECT 1 / 0; CREATE TABLE two (id int)")
    } catch {
      state = error.state
    }
    #expect(state == "22012", "division by zero")
    #expect(try connection.perform("SELECT to_regclass('one'), to_regclass('two')") == [[nil, nil]])
    #expect(try connection.perform("SELECT 1; SELECT 2") == [["2"]])
  }
}
