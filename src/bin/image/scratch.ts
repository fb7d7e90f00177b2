import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The temporary folder of one command, and its cleanup functions. */
export interface Scratch {
  readonly folder: string
  /** Adds a function that runs at the end, also after Ctrl-C. The last one runs first. */
  onEnd(cleanup: () => Promise<void>): void
}

/** Runs `use` with a temporary folder, and removes the folder afterwards, even if `use` fails or is interrupted. */
export async function withScratch<T>(use: (scratch: Scratch) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-image-'))
  const cleanups: (() => Promise<void>)[] = []
  const interruption = new Interruption()
  try {
    return await Promise.race([use({ folder, onEnd: (cleanup) => cleanups.unshift(cleanup) }), interruption.promise])
  } finally {
    try {
      for (const cleanup of cleanups) await cleanup()
    } finally {
      rmSync(folder, { recursive: true, force: true })
      interruption.end()
    }
  }
}

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
type StopSignal = keyof typeof exitCodes
const stopSignals = Object.keys(exitCodes) as StopSignal[]

/** `promise` rejects at the first stop signal. `end` ends the process if there was one. */
class Interruption {
  readonly promise: Promise<never>
  #code: number | undefined
  #reject: (error: Error) => void = () => {}
  readonly #stop = (signal: NodeJS.Signals) => {
    const code = exitCodes[signal as StopSignal]
    // The second signal ends the process at once.
    if (this.#code !== undefined) process.exit(code)
    this.#code = code
    this.#reject(new Error('interrupted'))
  }

  constructor() {
    this.promise = new Promise((_, reject) => {
      this.#reject = reject
    })
    this.promise.catch(() => {}) // a signal may arrive after the command has ended
    for (const signal of stopSignals) process.on(signal, this.#stop)
  }

  end(): void {
    for (const signal of stopSignals) process.off(signal, this.#stop)
    if (this.#code !== undefined) process.exit(this.#code)
  }
}
