import { started } from '../../base/started.js'

/** Resolves at the first SIGINT or SIGTERM. The second one ends the process at once. */
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
 * Runs `work` to its end. A timer keeps the process alive: otherwise Node would end it while there is no open connection, such as during a
 * restart of the API server.
 */
export async function keepAliveDuring(work: () => Promise<void>): Promise<void> {
  const alive = setInterval(() => {}, 2 ** 30)
  try {
    await work()
  } finally {
    clearInterval(alive)
  }
}
