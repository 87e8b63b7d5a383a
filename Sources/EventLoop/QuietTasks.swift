import CLinux
import Dispatch

/// Runs the tasks of a program that sleeps when there is nothing to do.
///
/// Swift on Linux gives tasks to a concurrent queue of libdispatch, which from the first one on looks at its threads once
/// a second, for ever (`_dispatch_workq_init_once` in src/event/workqueue.c of swift-corelibs-libdispatch): a wake-up a
/// second of a process that has nothing to do. A serial queue is not looked after like that.
package enum QuietTasks {
  private static let queue = DispatchQueue(label: "grampad.tasks")

  /// Has all tasks run on one thread at a time; to be called before the first of them is made.
  ///
  /// For a program whose tasks wait without holding up their thread: the others would be held up too. `Task.sleep` still
  /// goes the way of libdispatch.
  package static func begin() {
    grampad_hook_tasks { QuietTasks.take($0) }
  }

  private static func take(_ job: UnsafeMutableRawPointer) {
    // A job is handed over whole: nobody else has it.
    nonisolated(unsafe) let job = job
    queue.async { grampad_run_job(job) }
  }
}
