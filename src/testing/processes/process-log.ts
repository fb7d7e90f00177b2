import type { Readable } from 'node:stream'

/** One line of a process's log. */
export interface ProcessLogLine {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

/** Parses a log line. A line that is not JSON comes from Node itself and counts as an error. */
export function parseProcessLogLine(line: string): ProcessLogLine {
  try {
    return JSON.parse(line) as ProcessLogLine
  } catch {
    return { level: 'error', message: line }
  }
}

export function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) take(line)
  })
}
