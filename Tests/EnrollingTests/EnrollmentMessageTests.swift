import Messages
import Testing

@testable import Enrolling

/// What crosses between a device and the server of certificates: code, topics, request.
@Suite struct EnrollmentMessageTests {
  @Test(arguments: [
    ("scale-1.abc", "scale-1", "abc"),
    ("a.\(String(repeating: "s", count: 64))", "a", String(repeating: "s", count: 64)),
  ])
  func aCodeHasAnIdAndASecret(text: String, id: String, secret: String) throws {
    let code = try EnrollmentCode(text)
    #expect((code.id, code.secret) == (id, secret))
    #expect(!"\(code)".contains(secret), "the secret is never shown")
  }

  @Test(arguments: [
    "", ".", "scale", "scale.", ".secret", "a.b.c", "a b.secret", "a.se cret", "a.\u{7F}", "enroll-a.secret",
    "a/b.secret",
    "\(String(repeating: "i", count: 65)).secret", "a.\(String(repeating: "s", count: 65))", "ä.secret", "a.sécret",
  ])
  func anythingElseIsNoCode(_ text: String) {
    #expect(throws: EnrollmentError.self) { try EnrollmentCode(text) }
  }

  @Test func eachRequestHasItsAnswer() {
    let topics = [[1], [2], []].map { EnrollmentTopics.answer("scale", to: $0) }
    #expect(Set(topics).count == 3)
    #expect(topics.allSatisfy { $0.hasPrefix("enroll/scale/answer/") })
    #expect(topics[0] == EnrollmentTopics.answer("scale", to: [1]))
  }

  @Test func theServerReadsItsTopicsOnly() throws {
    func request(_ topic: String, _ payload: [UInt8] = [1], retained: Bool = false) -> EnrollmentServer.Request? {
      EnrollmentServer.Request(IncomingMessage(topic: topic, payload: payload, isRetained: retained))
    }
    for kind in [EnrollmentServer.Request.Kind.code, .renewal, .installed] {
      let read = try #require(request("enroll/scale/\(kind.rawValue)"))
      #expect((read.id, read.kind, read.payload) == ("scale", kind, [1]))
    }
    for topic in [
      "enroll/scale", "enroll/scale/code/x", "enroll//code", "enroll/enroll-scale/code", "enroll/scale/answer",
      "Enroll/scale/code", "/enroll/scale/code", "enroll/scale/", "",
    ] { #expect(request(topic) == nil, "\(topic)") }
    #expect(request("enroll/scale/code", retained: true) == nil)
    let most = EnrollmentServer.maximumBytes
    #expect(request("enroll/scale/code", [UInt8](repeating: 0, count: most)) != nil)
    #expect(request("enroll/scale/code", [UInt8](repeating: 0, count: most + 1)) == nil)
  }
}
