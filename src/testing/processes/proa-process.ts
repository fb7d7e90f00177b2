import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eachLine, type ProcessLogLine, parseProcessLogLine } from './process-log.js'

const program = fileURLToPath(new URL('../../../bundle/bin/proa.cjs', import.meta.url))
/** The Node options with which `./proa` starts servers. */
const nodeOptions = ['--use-largepages=silent']

export interface ProaProcessOptions {
  /** The command and its flags, for example `apiserver`. */
  readonly args: readonly string[]
  /** Options of Node itself. */
  readonly node?: readonly string[]
  /** Whether the process has a message channel: see `request`. */
  readonly hasChannel?: boolean
  /** Called with every log line. */
  readonly log: (line: ProcessLogLine) => void
}

/** One `proa` process, from its start to its end. It is killed when this process exits. */
export class ProaProcess {
  readonly #child: ChildProcess
  readonly #name: string
  readonly #output: string[] = []
  readonly #listeners = new Set<() => void>()
  #lastLogged = ''

  constructor({ args, node = [], hasChannel: isAsked = false, log }: ProaProcessOptions) {
    this.#name = `proa ${args[0]}`
    const ipc = isAsked ? (['ipc'] as const) : []
    this.#child = spawn(process.execPath, [...nodeOptions, ...node, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', ...ipc],
    })
    eachLine(this.#child.stderr!, (line) => {
      this.#lastLogged = line
      log(parseProcessLogLine(line))
    })
    eachLine(this.#child.stdout!, (line) => {
      this.#output.push(line)
      this.#notify()
    })
    const atExit = () => this.#child.kill('SIGKILL')
    process.on('exit', atExit)
    this.#child.once('exit', () => {
      process.off('exit', atExit)
      this.#notify()
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** The exit code or signal. Undefined while the process runs. */
  get exit(): number | string | undefined {
    return this.#child.exitCode ?? this.#child.signalCode ?? undefined
  }

  /** Reports whether a line of its output matches. */
  hasPrinted(pattern: RegExp): boolean {
    return this.#output.some((line) => pattern.test(line))
  }

  /** Resolves when a line of its output matches, now or earlier. Rejects if the process ends before. */
  async untilOutput(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      for (const line of this.#output) {
        const found = pattern.exec(line)
        if (found) return found
      }
      if (this.exit !== undefined)
        throw new Error(`${this.#name} ended with ${this.exit} before it printed ${pattern}: ${this.#lastLogged}`)
      await new Promise<void>((resolve) => this.#listeners.add(resolve))
    }
  }

  async request(message: string): Promise<unknown> {
    const received = once(this.#child, 'message')
    this.#child.send(message)
    const [response] = await received
    return response
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Resolves with `exit` when the process has ended. */
  async ended(): Promise<number | string> {
    if (this.exit === undefined) await once(this.#child, 'exit')
    return this.exit!
  }

  /** Sends the signal. Resolves with `exit` when the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    if (this.exit === undefined) this.signal(signal)
    return this.ended()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
