import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

export interface LineResult {
  readonly line: string
  readonly code: number
  /** What was written, errors included. */
  readonly output: string
}

/** A shell in which lines are typed one after the other, as a person would: aliases and variables stay. */
export class ShellSession {
  readonly #shell: ChildProcessWithoutNullStreams
  readonly #mark = `end-of-line-${process.pid}`
  #heard = ''
  #listen: () => void = () => {}

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env })
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#heard += text
        this.#listen()
      })
    this.#shell.on('close', () => this.#listen())
    this.#shell.stdin.write('exec 2>&1\nshopt -s expand_aliases\n')
  }

  /** Resolves when the shell would show its prompt again. */
  async type(line: string): Promise<LineResult> {
    this.#heard = ''
    // Nobody types an answer while a line runs: what asks for one gets none.
    this.#shell.stdin.write(`eval ${quoted(line)} </dev/null\necho "${this.#mark} $?"\n`)
    const end = new RegExp(`${this.#mark} (\\d+)\\n`)
    for (;;) {
      const found = end.exec(this.#heard)
      if (found) return { line, code: Number(found[1]), output: this.#heard.slice(0, found.index) }
      if (this.#shell.exitCode !== null || this.#shell.signalCode !== null)
        throw new Error(`the shell ended while it ran: ${line}\n${this.#heard}`)
      await new Promise<void>((resolve) => (this.#listen = resolve))
    }
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) return
    const ended = new Promise((resolve) => this.#shell.once('close', resolve))
    this.#shell.stdin.end()
    await ended
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
