import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A place for temporary files of one command, and what else must be undone at its end. */
export interface Scratch {
  readonly folder: string
  /** Is called at the end, also after Ctrl-C. The last one is called first. */
  atEnd(undo: () => Promise<void>): void
}

/** Runs a command with a temporary folder. Nothing is left of it, also when it fails or is interrupted. */
export async function withScratch<T>(use: (scratch: Scratch) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-image-'))
  const undoing: (() => Promise<void>)[] = []
  const interruption = new Interruption()
  try {
    return await Promise.race([use({ folder, atEnd: (undo) => undoing.unshift(undo) }), interruption.promise])
  } finally {
    try {
      for (const undo of undoing) await undo()
    } finally {
      rmSync(folder, { recursive: true, force: true })
      interruption.end()
    }
  }
}

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
type StopSignal = keyof typeof exitCodes
const stopSignals = Object.keys(exitCodes) as StopSignal[]

/** Rejects at the first signal to stop. A command that goes on in the background is ended by `end`. */
class Interruption {
  readonly promise: Promise<never>
  #code: number | undefined
  #reject: (error: Error) => void = () => {}
  readonly #stop = (signal: NodeJS.Signals) => {
    const code = exitCodes[signal as StopSignal]
    // Who asks twice does not want to wait.
    if (this.#code !== undefined) process.exit(code)
    this.#code = code
    this.#reject(new Error('interrupted'))
  }

  constructor() {
    this.promise = new Promise((_, reject) => {
      this.#reject = reject
    })
    this.promise.catch(() => {}) // it may come after the command has ended
    for (const signal of stopSignals) process.on(signal, this.#stop)
  }

  end(): void {
    for (const signal of stopSignals) process.off(signal, this.#stop)
    if (this.#code !== undefined) process.exit(this.#code)
  }
}
