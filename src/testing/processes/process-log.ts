import type { Readable } from 'node:stream'

/** What the program wrote into its log. */
export interface ProcessLogLine {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

/** Node itself also writes there, and not in JSON, when it dies. */
export function parseLogLine(line: string): ProcessLogLine {
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
