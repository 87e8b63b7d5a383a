import Dispatch

/// Runs tasks on a serial queue, so that an idle process is not woken.
///
/// Swift on Linux runs tasks on a concurrent libdispatch queue. Once used, libdispatch checks the threads of that queue
/// once a second forever (`_dispatch_workq_init_once` in src/event/workqueue.c of swift-corelibs-libdispatch), which
/// wakes an idle process every second. Serial queues are not monitored in this way.
///
/// Child tasks inherit the executor; tasks made with `Task {}` do not, and start the check (SE-0417).
///
/// For programs whose tasks suspend instead of blocking: a task that blocks its thread blocks all others.
package final class SerialTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "grampad.tasks")

  /// Makes an executor.
  package init() {}

  /// Runs a job after those before it.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
