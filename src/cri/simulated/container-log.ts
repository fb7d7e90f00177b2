import { appendFileSync } from 'node:fs'

export type LogStream = 'stdout' | 'stderr'

/** What does not fit into one line of a log is continued in the next. */
const longestLine = 16 * 1024

/**
 * What containers say, in the form of log files that the kubelet reads: time, stream, `F` for a full line or `P` for one that is
 * continued, and the text. A line that the container never ended is full at its end.
 */
export function logLines(time: bigint, stream: LogStream, said: string): string {
  const lines = said.endsWith('\n') ? said.slice(0, -1).split('\n') : said.split('\n')
  return lines
    .flatMap((line) => pieces(line).map(([tag, piece]) => `${logTime(time)} ${stream} ${tag} ${piece}\n`))
    .join('')
}

function pieces(line: string): [tag: string, piece: string][] {
  const bytes = Buffer.from(line)
  if (bytes.length <= longestLine) return [['F', line]]
  const cuts = Math.ceil(bytes.length / longestLine)
  return Array.from({ length: cuts }, (_, index) => [
    index === cuts - 1 ? 'F' : 'P',
    bytes.subarray(index * longestLine, (index + 1) * longestLine).toString(),
  ])
}

/** RFC 3339 with nine digits after the point. */
export function logTime(time: bigint): string {
  const seconds = new Date(Number(time / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  return `${seconds}.${(time % 1_000_000_000n).toString().padStart(9, '0')}Z`
}

/** The log file of one container. It is opened for each piece, so that a thousand nodes need no thousand open files. */
export class ContainerLog {
  readonly #path: string | undefined

  /** Without a path what is said is lost, as it is with any runtime. */
  constructor(path: string | undefined) {
    this.#path = path
    if (path !== undefined) appendFileSync(path, '', { mode: 0o640 })
  }

  write(time: bigint, stream: LogStream, said: string): void {
    if (this.#path !== undefined) appendFileSync(this.#path, logLines(time, stream, said), { mode: 0o640 })
  }

  /** The file may have been moved away: from now on there is a new one. */
  reopen(): void {
    if (this.#path !== undefined) appendFileSync(this.#path, '', { mode: 0o640 })
  }
}
