import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from './node-harness.js'

/**
 * Types this into a shell to see `33 77`. The size of the terminal is told a moment after the connection is there; who attaches tells
 * another one first, so that everything is drawn anew.
 */
export const printSizeOnceSet = 'until stty size 2>&1 | grep -q 33.77; do sleep 0.1; done; stty size\r'

/** A program in a terminal of 33 rows and 77 columns, what is seen there, and somebody who types. */
export class TerminalSession implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>
  seen = ''

  constructor(words: readonly string[]) {
    const command = `stty rows 33 cols 77; ${words.map((word) => `'${word}'`).join(' ')}`
    this.#child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#exit = once(this.#child, 'close')
    this.#child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
      this.seen += piece
    })
  }

  /** Types it, once it can be, and waits until something like that is seen. */
  async type(keys: string, seen: RegExp): Promise<void> {
    this.#child.stdin!.write(keys)
    await this.#until(() => seen.test(this.seen))
  }

  async ended(): Promise<number> {
    await this.#until(() => this.#child.exitCode !== null)
    return this.#child.exitCode ?? -1
  }

  async #until(isSo: () => boolean): Promise<void> {
    await until(async () => isSo() || this.#child.exitCode !== null).catch(() => {})
    if (!isSo()) throw new Error(`this was seen: ${JSON.stringify(this.seen)}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill()
    await this.#exit
  }
}
