import type { Environment } from '../../base/environment.js'

export interface Chore {
  readonly name: string
  /** In milliseconds, from the end of one time to the beginning of the next. */
  readonly every: number
  readonly run: () => Promise<void>
}

/** Does chores again and again until it is told to stop. One that fails is tried again when its time comes. */
export function keepUp(chores: readonly Chore[], environment: Environment): () => void {
  const stops = chores.map((chore) => repeat(chore, environment))
  return () => {
    for (const stop of stops) stop()
  }
}

function repeat({ name, every, run }: Chore, { clock, log }: Environment): () => void {
  let isOver = false
  let timer = clock.timer(every, turn)
  function turn(): void {
    run()
      .catch((error: unknown) => log.warn('a chore failed, and will be tried again', { name, error }))
      .finally(() => {
        if (!isOver) timer = clock.timer(every, turn)
      })
  }
  return () => {
    isOver = true
    timer.cancel()
  }
}
