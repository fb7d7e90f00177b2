/** One line of a log as runtimes write it: time, stream, tags, and what was said, with blanks between them. */
export interface ContainerLogLine {
  /** RFC 3339, with as many decimals as the runtime likes. */
  readonly time: string
  readonly stream: string
  /** What was said, with its line end where it has one. */
  readonly content: Buffer
}

const blank = 0x20
const lineEnd = 0x0a

/**
 * Reads a line with its end. What a container said without ending the line is spread over several, all but the last tagged `P`: those
 * give their text without an end, so that it is one line again when they are put together. Undefined if it is no line of a log.
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

/** In nanoseconds since the epoch; undefined if it is no time. */
export function nanosecondsOf(time: string): bigint | undefined {
  const [, seconds, fraction = '', zone] = timeForm.exec(time) ?? []
  if (seconds === undefined) return undefined
  const milliseconds = Date.parse(`${seconds}${zone}`)
  if (Number.isNaN(milliseconds)) return undefined
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** With nine decimals, as Kubernetes shows it. */
export function shownTime(time: string): string {
  const [, seconds, fraction = '', zone] = timeForm.exec(time) ?? []
  return seconds === undefined ? time : `${seconds}.${fraction.padEnd(9, '0')}${zone}`
}
