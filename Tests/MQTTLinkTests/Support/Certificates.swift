import Foundation
import Testing

/// Certificates made by openssl for one test: an authority, a server's and a client's.
struct Certificates {
  let folder: TemporaryFolder
  var ca: String { "\(folder.path)/ca.pem" }

  /// Makes an authority.
  init(_ name: String = "ca") async throws {
    folder = try TemporaryFolder()
    try await run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
      "/CN=\(name)", "-keyout", "ca.key", "-out", "ca.pem",
    ])
  }

  /// Makes a certificate signed by the authority and returns its path and that of its key; `days` < 0 has expired.
  func issue(_ name: String, days: Int = 2) async throws -> (certificate: String, key: String) {
    let extensions = try folder.write("\(name).ext", "subjectAltName = DNS:\(name)\n")
    try await run([
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)", "-keyout",
      "\(name).key", "-out", "\(name).csr",
    ])
    try await run([
      "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "\(days)",
      "-extfile", extensions, "-out", "\(name).pem",
    ])
    return ("\(folder.path)/\(name).pem", "\(folder.path)/\(name).key")
  }

  private func run(_ arguments: [String]) async throws {
    let child = try ChildProcess("env", ["-C", folder.path, "openssl"] + arguments)
    try await eventually("openssl") { !child.isRunning }
  }
}
