import { started } from '../../base/started.js'

/** Resolves at the first signal to stop. At the second one the process ends at once: who asks twice does not want to wait. */
export function untilStopped(): Promise<void> {
  started.publish(undefined)
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      resolve()
      const code = signal === 'SIGINT' ? 130 : 143
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop).on(name, () => process.exit(code))
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}

/**
 * Runs `work` to its end. Node would end the process as soon as nothing but timers is left of it: as it is when the server to which all
 * connections led is away for a moment.
 */
export async function keepAliveDuring(work: () => Promise<void>): Promise<void> {
  const alive = setInterval(() => {}, 2 ** 30)
  try {
    await work()
  } finally {
    clearInterval(alive)
  }
}
