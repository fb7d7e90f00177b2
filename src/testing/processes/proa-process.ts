import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eachLine, type ProcessLogLine, parseLogLine } from './process-log.js'

const program = fileURLToPath(new URL('../../../bundle/bin/proa.cjs', import.meta.url))
/** As `./proa` starts what lasts. */
const launched = ['--use-largepages=silent']

export interface ProaProcessOptions {
  /** `apiserver`, and what it is told. */
  readonly args: readonly string[]
  /** What Node itself is told. */
  readonly node?: readonly string[]
  /** Whether it can be asked something: see `ask`. */
  readonly hasChannel?: boolean
  /** Is given every line of its log. */
  readonly log: (line: ProcessLogLine) => void
}

/** The program as a process of its own, from its start to its end. It ends with this process at the latest. */
export class ProaProcess {
  readonly #child: ChildProcess
  readonly #name: string
  readonly #said: string[] = []
  readonly #listeners = new Set<() => void>()
  #lastLogged = ''

  constructor({ args, node = [], hasChannel: isAsked = false, log }: ProaProcessOptions) {
    this.#name = `proa ${args[0]}`
    const ipc = isAsked ? (['ipc'] as const) : []
    this.#child = spawn(process.execPath, [...launched, ...node, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', ...ipc],
    })
    eachLine(this.#child.stderr!, (line) => {
      this.#lastLogged = line
      log(parseLogLine(line))
    })
    eachLine(this.#child.stdout!, (line) => {
      this.#said.push(line)
      this.#tell()
    })
    const atExit = () => this.#child.kill('SIGKILL')
    process.on('exit', atExit)
    this.#child.once('exit', () => {
      process.off('exit', atExit)
      this.#tell()
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** The code with which it left, or the signal that ended it. Undefined while it runs. */
  get exit(): number | string | undefined {
    return this.#child.exitCode ?? this.#child.signalCode ?? undefined
  }

  /** Whether it has said something like that. */
  hasPrinted(pattern: RegExp): boolean {
    return this.#said.some((line) => pattern.test(line))
  }

  /** Resolves when it says something like that, or has said so already. Rejects when it ends before. */
  async untilOutput(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      for (const line of this.#said) {
        const found = pattern.exec(line)
        if (found) return found
      }
      if (this.exit !== undefined)
        throw new Error(`${this.#name} ended with ${this.exit} before it said ${pattern}: ${this.#lastLogged}`)
      await new Promise<void>((resolve) => this.#listeners.add(resolve))
    }
  }

  async request(question: string): Promise<unknown> {
    const answered = once(this.#child, 'message')
    this.#child.send(question)
    const [answer] = await answered
    return answer
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Resolves with `exit` when it has gone, by itself or because it was told to. */
  async ended(): Promise<number | string> {
    if (this.exit === undefined) await once(this.#child, 'exit')
    return this.exit!
  }

  /** SIGTERM asks it to stop, SIGKILL does not ask. Resolves with `exit` when it has gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    if (this.exit === undefined) this.signal(signal)
    return this.ended()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
