/** One line of a CRI log: time, stream, tags and content, separated by spaces. */
export interface ContainerLogLine {
  /** RFC 3339 with any number of decimals. */
  readonly time: string
  readonly stream: string
  /** The content, with a line end unless the line is partial. */
  readonly content: Buffer
}

const blank = 0x20
const lineEnd = 0x0a

/**
 * Parses a line with its line end. Long output is split into several lines, all but the last tagged `P` (partial). Their contents have no
 * line end, so that they join to one line. Returns undefined if the line is invalid.
 */
export function parseLogLine(line: Buffer): ContainerLogLine | undefined {
  const afterTime = line.indexOf(blank)
  const afterStream = afterTime < 0 ? -1 : line.indexOf(blank, afterTime + 1)
  const afterTags = afterStream < 0 ? -1 : line.indexOf(blank, afterStream + 1)
  if (afterTags < 0) return undefined
  const stream = line.toString('latin1', afterTime + 1, afterStream)
  if (stream !== 'stdout' && stream !== 'stderr') return undefined
  const [tag] = line.toString('latin1', afterStream + 1, afterTags).split(':')
  const isCut = tag === 'P' && line.at(-1) === lineEnd
  const content = line.subarray(afterTags + 1, isCut ? line.length - 1 : line.length)
  return { time: line.toString('latin1', 0, afterTime), stream, content }
}

const timeForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/

/** Returns nanoseconds since the epoch, or undefined if the time is invalid. */
export function nanosecondsOf(time: string): bigint | undefined {
  const [, seconds, fraction = '', zone] = timeForm.exec(time) ?? []
  if (seconds === undefined) return undefined
  const milliseconds = Date.parse(`${seconds}${zone}`)
  if (Number.isNaN(milliseconds)) return undefined
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** Formats a time with nine decimals, as Kubernetes shows it. */
export function shownTime(time: string): string {
  const [, seconds, fraction = '', zone] = timeForm.exec(time) ?? []
  return seconds === undefined ? time : `${seconds}.${fraction.padEnd(9, '0')}${zone}`
}
