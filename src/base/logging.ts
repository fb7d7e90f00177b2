/** A log. A message is a stable phrase; variable data goes into the fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Returns a logger that adds `fields` to all its records. */
  with(fields: LogFields): Logger
}

/** Must not contain secrets: no passwords, tokens or keys under any name. */
export type LogFields = Readonly<Record<string, unknown>>

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogRecord {
  readonly time: number
  readonly level: LogLevel
  readonly message: string
  readonly fields: LogFields
}

const weight: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

export interface LoggerOptions {
  readonly now: () => number
  readonly write: (record: LogRecord) => void
  /** Records below this level are dropped before anything is allocated for them. */
  readonly level?: LogLevel
  readonly fields?: LogFields
}

/** Creates a logger for any sink: standard error, a file, an array in a test. */
export function logger({ now, write, level = 'info', fields = {} }: LoggerOptions): Logger {
  const at = (recordLevel: LogLevel) => {
    if (weight[recordLevel] < weight[level]) return () => {}
    return (message: string, more?: LogFields) =>
      write({ time: now(), level: recordLevel, message, fields: more ? { ...fields, ...more } : fields })
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (more) => logger({ now, write, level, fields: { ...fields, ...more } }),
  }
}

export const silentLogger: Logger = logger({ now: () => 0, write: () => {}, level: 'error' })

/**
 * Formats a record as one line of JSON, for log collectors. Errors are written with stack and cause. Any value can be written, and fields
 * cannot override the time, the level or the message.
 */
export function formatLogRecord(record: LogRecord): string {
  const head = { time: new Date(record.time).toISOString(), level: record.level, message: record.message }
  return `${JSON.stringify({ ...head, ...record.fields, ...head }, describer())}\n`
}

/** The replacer for one `JSON.stringify`. That visits values from the outside in: `path` leads from the record to the current value. */
function describer(): (this: unknown, key: string, value: unknown) => unknown {
  const path: { readonly value: object; readonly written: object }[] = []
  return function describe(_key, value) {
    while (path.length > 0 && path.at(-1)?.written !== this) path.pop()
    if (typeof value === 'bigint') return value.toString()
    if (typeof value !== 'object' || value === null) return value
    if (path.some((above) => above.value === value)) return '[circular]'
    const written = value instanceof Error ? describeError(value) : value
    path.push({ value, written })
    return written
  }
}

function describeError(error: Error): object {
  const { name, message, stack, cause } = error
  return { name, message, stack, cause, errors: error instanceof AggregateError ? error.errors : undefined }
}
