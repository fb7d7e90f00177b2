import type { Environment } from '../../base/environment.js'

export interface PeriodicTask {
  readonly name: string
  /** Milliseconds from the end of one run to the start of the next. */
  readonly every: number
  readonly run: () => Promise<void>
}

/** Runs tasks periodically until the returned function is called. A failed task runs again after its interval. */
export function startPeriodicTasks(tasks: readonly PeriodicTask[], environment: Environment): () => void {
  const stops = tasks.map((task) => repeat(task, environment))
  return () => {
    for (const stop of stops) stop()
  }
}

function repeat({ name, every, run }: PeriodicTask, { clock, log }: Environment): () => void {
  let isOver = false
  let timer = clock.timer(every, runTask)
  function runTask(): void {
    run()
      .catch((error: unknown) => log.warn('periodic task failed', { name, error }))
      .finally(() => {
        if (!isOver) timer = clock.timer(every, runTask)
      })
  }
  return () => {
    isOver = true
    timer.cancel()
  }
}
