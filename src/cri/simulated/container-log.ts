import { appendFileSync } from 'node:fs'

export type LogStream = 'stdout' | 'stderr'

/** In bytes. A longer line is split. */
const maxLineLength = 16 * 1024

/**
 * Formats output in the log format that the kubelet reads: time, stream, `F` for a full line or `P` for a part of one, and the text.
 * The last line counts as full, even without a line end.
 */
export function logLines(time: bigint, stream: LogStream, text: string): string {
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n')
  return lines
    .flatMap((line) => pieces(line).map(([tag, piece]) => `${logTime(time)} ${stream} ${tag} ${piece}\n`))
    .join('')
}

function pieces(line: string): [tag: string, piece: string][] {
  const bytes = Buffer.from(line)
  if (bytes.length <= maxLineLength) return [['F', line]]
  const cuts = Math.ceil(bytes.length / maxLineLength)
  return Array.from({ length: cuts }, (_, index) => [
    index === cuts - 1 ? 'F' : 'P',
    bytes.subarray(index * maxLineLength, (index + 1) * maxLineLength).toString(),
  ])
}

/** RFC 3339 with nine digits after the point. */
export function logTime(time: bigint): string {
  const seconds = new Date(Number(time / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  return `${seconds}.${(time % 1_000_000_000n).toString().padStart(9, '0')}Z`
}

/** The log file of one container. Each write opens the file, so that many simulated nodes do not exhaust the file descriptors. */
export class ContainerLog {
  readonly #path: string | undefined

  /** Without a path, output is discarded, as in every runtime. */
  constructor(path: string | undefined) {
    this.#path = path
    if (path !== undefined) appendFileSync(path, '', { mode: 0o640 })
  }

  write(time: bigint, stream: LogStream, text: string): void {
    if (this.#path !== undefined) appendFileSync(this.#path, logLines(time, stream, text), { mode: 0o640 })
  }

  /** Creates a new file if log rotation has moved the old one. */
  reopen(): void {
    if (this.#path !== undefined) appendFileSync(this.#path, '', { mode: 0o640 })
  }
}
