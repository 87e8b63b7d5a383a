import CLinux
import Dispatch

/// Runs tasks without waking the process while there is nothing to do.
///
/// Swift on Linux runs tasks on a concurrent libdispatch queue. Once used, libdispatch checks the threads of that queue
/// once a second forever (`_dispatch_workq_init_once` in src/event/workqueue.c of swift-corelibs-libdispatch), which
/// wakes an idle process every second. Serial queues are not monitored in this way.
package enum QuietTasks {
  private static let queue = DispatchQueue(label: "grampad.tasks")

  /// Runs all tasks on one thread at a time; call it before the first task is created.
  ///
  /// For programs whose tasks suspend instead of blocking: a task that blocks its thread blocks all others.
  /// `Task.sleep` still uses libdispatch.
  package static func begin() {
    grampad_hook_tasks { QuietTasks.take($0) }
  }

  private static func take(_ job: UnsafeMutableRawPointer) {
    // Ownership of the job moves to the queue; nothing else refers to it.
    nonisolated(unsafe) let job = job
    queue.async { grampad_run_job(job) }
  }
}
