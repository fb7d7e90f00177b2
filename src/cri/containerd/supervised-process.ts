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
  /** Its output is appended to this file. */
  readonly log: string
  readonly environment: Environment
  /** Whether to restart it when it dies. */
  readonly restart: boolean
  /** Called before each start, also before a restart. */
  readonly beforeStart?: () => void
}

/** In milliseconds. The first restart is almost immediate; later ones back off. */
const restartDelays = { initial: 100, max: 10_000, resetAfter: 60_000 }
const stopGracePeriod = 10_000

/** A program that runs until it is stopped. It has its own session, so that Ctrl-C in the terminal does not end it. */
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
      child.once('exit', (code, signal) => this.#handleExit(code, signal))
    } finally {
      closeSync(output)
    }
  }

  /** Stops it without a restart. Resolves when it has exited. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#restarting
    const pid = this.pid
    if (pid === undefined) return
    const exited = once(this.#child!, 'exit')
    await endProcesses([pid], this.#clock, stopGracePeriod)
    await exited
  }

  /** Returns the end of the log for an error message: warnings and errors, if there are any. */
  lastLogLines(): string {
    const lines = readFileSync(this.#options.log, 'utf8').trimEnd().split('\n').slice(-100)
    const problems = lines.filter((line) => /level=(error|fatal|warning)/.test(line))
    return (problems.length > 0 ? problems : lines).slice(-5).join('\n')
  }

  get #clock(): Clock {
    return this.#options.environment.clock
  }

  #handleExit(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#stopping) return
    const { program, log, environment, restart } = this.#options
    environment.log.warn('Supervised process died', { program, code, signal, log, restart })
    if (restart) this.#restarting = this.#restart()
  }

  async #restart(): Promise<void> {
    await sleep(this.#clock, this.#backoff.next())
    if (this.#stopping) return
    await this.start().catch((error) => {
      this.#options.environment.log.error('Supervised process restart failed', {
        program: this.#options.program,
        error,
      })
      if (!this.#stopping) this.#restarting = this.#restart()
    })
  }
}
