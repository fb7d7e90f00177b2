import { nanosecondsOf, parseLogLine, shownTime } from './log-line.js'
import type { LogOptions } from './log-options.js'

const lineEnd = 0x0a

/** Converts lines of a log file to the output for clients. */
export class LogFormatter {
  readonly #options: LogOptions
  readonly #stream: string
  #isLineStart = true
  #left: number

  constructor(options: LogOptions) {
    this.#options = options
    this.#stream = options.stream.toLowerCase()
    this.#left = options.limitBytes ?? Number.POSITIVE_INFINITY
  }

  /** True when the byte limit is reached. */
  get isFull(): boolean {
    return this.#left <= 0
  }

  format(lines: readonly Buffer[]): Buffer {
    const pieces: Buffer[] = []
    for (const line of lines) this.#add(line, pieces)
    const text = Buffer.concat(pieces)
    const fitting = text.length > this.#left ? text.subarray(0, this.#left) : text
    this.#left -= fitting.length
    return fitting
  }

  /** Skips lines that are not valid. */
  #add(line: Buffer, pieces: Buffer[]): void {
    const { since, timestamps } = this.#options
    const parsed = parseLogLine(line)
    if (!parsed || (this.#stream !== 'all' && parsed.stream !== this.#stream)) return
    if (since !== undefined && (nanosecondsOf(parsed.time) ?? 0n) < since) return
    if (timestamps && this.#isLineStart) pieces.push(Buffer.from(`${shownTime(parsed.time)} `))
    pieces.push(parsed.content)
    this.#isLineStart = parsed.content.length === 0 || parsed.content.at(-1) === lineEnd
  }
}
