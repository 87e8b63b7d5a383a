import Enrolling
import Linux
import Logging
import Messages
import Synchronization
import Weighing

/// When to renew a client certificate; a value without I/O or clock.
struct RenewalSchedule {
  /// The time between two looks at the certificate, and between two attempts.
  static let pause = Interval.seconds(3600)
  /// Minimum time between two renewals: to a clock that is wrong, a new certificate may seem old, too.
  private static let rest = Interval.seconds(86_400)
  private var renewed: Instant?

  /// Whether to renew the certificate now.
  func isDue(_ certificate: ClientCertificate, at now: Instant) -> Bool {
    certificate.isDueForRenewal && renewed.map { now - $0 >= Self.rest } ?? true
  }

  /// The certificate was renewed.
  mutating func recordRenewal(at now: Instant) { renewed = now }
}

/// Renews the client certificate in the last third of its life (`mqtt.renew_certificate`).
///
/// A thread of its own, which is started only if this is configured, looks at the certificate once an hour. The link stays
/// connected during a renewal and reads the new file at its next connection.
final class CertificateRenewal: Sendable {
  private struct Job: Hashable, Sendable {
    let id: String
    let settings: LinkSettings
    let files: CredentialFiles
  }

  private let logger: Logger
  private let worker = Worker<Job?>("renewal")
  private let isRunning = Mutex(false)

  /// Makes a renewal; it does nothing until `configure`.
  init(logger: Logger) { self.logger = logger }

  /// Sets the device and its connection; nil settings, or settings without a certificate, stop renewals.
  func configure(id: String, settings: LinkSettings?) {
    let job = settings.flatMap { settings in
      settings.tls.certificateFile.map { Job(id: id, settings: settings, files: CredentialFiles(credential: $0)) }
    }
    let isFirst = isRunning.withLock { isRunning in
      guard job != nil, !isRunning else { return false }
      isRunning = true
      return true
    }
    worker.send(job) { _ in true }
    if isFirst { worker.start { [self] inbox in run(inbox) } }
  }

  /// Ends the thread; after the attempt that is under way, if there is one, which takes up to a minute.
  func stop() { worker.stop() }

  private func run(_ inbox: Worker<Job?>.Inbox) {
    var job: Job?
    var schedule = RenewalSchedule()
    while true {
      let (jobs, isStopping) = inbox.take()
      if isStopping { return }
      job = jobs.last ?? job
      // A file that cannot be read is reported by the link.
      if let job, let old = job.files.certificate, schedule.isDue(old, at: .now()), renew(old, job) {
        schedule.recordRenewal(at: .now())
      }
      inbox.wait(until: .now() + RenewalSchedule.pause)
    }
  }

  /// Returns whether the certificate was replaced.
  private func renew(_ certificate: ClientCertificate, _ job: Job) -> Bool {
    // The log of the appliance is about its own connection.
    var log = logger
    log.logLevel = .error
    do throws(EnrollmentError) {
      try Enrollment(id: job.id, files: job.files, logger: log).renew(job.settings)
      logger.info("renewed the client certificate", metadata: ["certificate.file": "\(job.files.credential)"])
      return true
    } catch {
      logger.warning(
        "cannot renew the client certificate; trying again in an hour",
        metadata: ["certificate.days": "\(certificate.secondsLeft / 86_400)", "certificate.reason": "\(error)"])
      return false
    }
  }
}
