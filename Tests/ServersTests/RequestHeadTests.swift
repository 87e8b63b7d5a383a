import Testing

@testable import Servers

struct RequestHeadTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let fault: RequestError?

    init(_ name: String, _ text: String, _ fault: RequestError?) {
      (testDescription, self.text, self.fault) = (name, text, fault)
    }
  }

  static let cases = [
    Case("plain", "GET / HTTP/1.1\r\nHost: a", nil),
    Case("no header", "GET / HTTP/1.0", nil),
    Case("a body of the most", "POST / HTTP/1.1\r\nContent-Length: 4096", nil),
    Case("a body too long", "POST / HTTP/1.1\r\nContent-Length: 4097", .bodyTooLarge),
    Case("a body of no number", "POST / HTTP/1.1\r\nContent-Length: +5", .malformed),
    Case("a body of two numbers", "POST / HTTP/1.1\r\nContent-Length: 5, 5", .malformed),
    Case("a body of a huge number", "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999", .malformed),
    Case("two lengths", "POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5", .malformed),
    Case("two lengths in other letters", "POST / HTTP/1.1\r\nContent-Length: 5\r\ncontent-length: 6", .malformed),
    Case("chunks", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked", .lengthRequired),
    Case("chunks and a length", "POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", .lengthRequired),
    Case("waiting to be asked for the body", "POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2", nil),
    Case("something else expected", "POST / HTTP/1.1\r\nExpect: tea\r\nContent-Length: 2", .expectation),
    Case("something expected from HTTP/1.0", "POST / HTTP/1.0\r\nExpect: tea\r\nContent-Length: 2", nil),
    Case("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b", .malformed),
    Case("two origins", "GET / HTTP/1.1\r\nOrigin: http://a\r\nOrigin: http://b", .malformed),
    Case("two tokens", "GET / HTTP/1.1\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b", .malformed),
    Case("a folded line", "GET / HTTP/1.1\r\nHost: a\r\n b", .malformed),
    Case("a blank before the colon", "GET / HTTP/1.1\r\nHost : a", .malformed),
    Case("no colon", "GET / HTTP/1.1\r\nHost", .malformed),
    Case("no name", "GET / HTTP/1.1\r\n: a", .malformed),
    Case("a bare newline", "GET / HTTP/1.1\r\nA: b\nHost: evil", .malformed),
    Case("a bare carriage return", "GET / HTTP/1.1\r\nA: b\rHost: evil", .malformed),
    Case("a NUL", "GET / HTTP/1.1\r\nA: \0", .malformed),
    Case("a byte past ASCII", "GET / HTTP/1.1\r\nA: é", .malformed),
    Case("two blanks", "GET  / HTTP/1.1", .malformed),
    Case("an absolute target", "GET http://evil/ HTTP/1.1", .malformed),
    Case("a small method", "get / HTTP/1.1", .malformed),
    Case("HTTP/2", "GET / HTTP/2.0", .version),
    Case("no version", "GET /", .malformed),
    Case("nothing", "", .malformed),
  ]

  @Test(arguments: cases)
  func reads(_ it: Case) {
    do throws(RequestError) {
      _ = try RequestHead(it.text.utf8, limits: Limits())
      #expect(it.fault == nil)
    } catch {
      #expect(error == it.fault)
    }
  }

  @Test func knowsWhoStays() throws {
    func stays(_ text: String) throws -> Bool { try RequestHead(text.utf8, limits: Limits()).keepsAlive }
    #expect(try stays("GET / HTTP/1.1"))
    #expect(try !stays("GET / HTTP/1.1\r\nConnection: Close"))
    #expect(try !stays("GET / HTTP/1.0"))
    #expect(try stays("GET / HTTP/1.0\r\nConnection: keep-alive"))
  }
}
