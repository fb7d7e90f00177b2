import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { Backoff } from '../../base/backoff.js'
import { type Clock, sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { endProcesses } from './processes.js'

export interface SupervisedProcessOptions {
  readonly program: string
  readonly args: readonly string[]
  /** What it says goes to the end of this file. */
  readonly log: string
  readonly environment: Environment
  /** Whether it is started again when it dies. */
  readonly restart: boolean
  /** Is called before each start, also after a death. */
  readonly beforeStart?: () => void
}

/** In milliseconds: after a first death at once, almost; not over and over. */
const restartDelays = { initial: 100, max: 10_000, resetAfter: 60_000 }
const stopGracePeriod = 10_000

/** A program that is to run until it is stopped. It is in a session of its own: what ends us at the terminal does not end it. */
export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions
  readonly #backoff: Backoff
  #child: ChildProcess | undefined
  #stopping = false
  #restarting: Promise<void> | undefined

  constructor(options: SupervisedProcessOptions) {
    this.#options = options
    this.#backoff = new Backoff(options.environment, restartDelays)
  }

  get pid(): number | undefined {
    return this.alive ? this.#child?.pid : undefined
  }

  get alive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async start(): Promise<void> {
    const { program, args, log, beforeStart } = this.#options
    beforeStart?.()
    const output = openSync(log, 'a', 0o600)
    try {
      const child = spawn(program, args, { detached: true, stdio: ['ignore', output, output] })
      this.#child = child
      await once(child, 'spawn')
      child.once('exit', (code, signal) => this.#died(code, signal))
    } finally {
      closeSync(output)
    }
  }

  /** Resolves when it is gone. It is not started again. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#restarting
    const pid = this.pid
    if (pid === undefined) return
    const gone = once(this.#child!, 'exit')
    await endProcesses([pid], this.#clock, stopGracePeriod)
    await gone
  }

  /** What it said last for an error message: its complaints, if it had any. */
  lastLogLines(): string {
    const lines = readFileSync(this.#options.log, 'utf8').trimEnd().split('\n').slice(-100)
    const complaints = lines.filter((line) => /level=(error|fatal|warning)/.test(line))
    return (complaints.length > 0 ? complaints : lines).slice(-5).join('\n')
  }

  get #clock(): Clock {
    return this.#options.environment.clock
  }

  #died(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#stopping) return
    const { program, log, environment, restart } = this.#options
    environment.log.warn('A program died that should run', { program, code, signal, log, restart })
    if (restart) this.#restarting = this.#restart()
  }

  async #restart(): Promise<void> {
    await sleep(this.#clock, this.#backoff.next())
    if (this.#stopping) return
    await this.start().catch((error) => {
      this.#options.environment.log.error('A program cannot be started again', {
        program: this.#options.program,
        error,
      })
      if (!this.#stopping) this.#restarting = this.#restart()
    })
  }
}
