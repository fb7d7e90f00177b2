/**
 * The schedule of a cron job: five fields (`0 3 * * 1-5`), a predefined schedule (`@daily`), or an interval (`@every 1h30m`).
 */
import { DurationError, type Nanoseconds, parseDuration } from '../../../../base/duration.js'
import { ValueError } from '../../../../schema/value-error.js'
import { parseInteger } from '../../../../schema/values/int-or-string.js'
import { isTimeZone, unknownTimeZone } from './time-zone.js'

export type Schedule = CalendarSchedule | { readonly every: Nanoseconds; readonly timeZone?: string }

export interface CalendarSchedule {
  /** Only for old schedules, which have it before their fields. */
  readonly timeZone?: string
  readonly minute: ScheduleField
  readonly hour: ScheduleField
  readonly dayOfMonth: ScheduleField
  readonly month: ScheduleField
  /** 0 is Sunday. */
  readonly dayOfWeek: ScheduleField
}

export interface ScheduleField {
  readonly values: ReadonlySet<number>
  /** Written as `*`. If one of the two fields for days is open, the other decides; if neither is, a day must match one of them. */
  readonly open: boolean
}

interface Bounds {
  readonly minimum: number
  readonly maximum: number
  readonly names?: readonly string[]
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const bounds = {
  minute: { minimum: 0, maximum: 59 },
  hour: { minimum: 0, maximum: 23 },
  dayOfMonth: { minimum: 1, maximum: 31 },
  month: { minimum: 1, maximum: 12, names: monthNames },
  dayOfWeek: { minimum: 0, maximum: 6, names: weekdayNames },
} as const satisfies Record<string, Bounds>

const words: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** Throws `ValueError` with upstream's message. */
export function parseSchedule(text: string): Schedule {
  const zoned = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s.exec(text)
  if (!zoned) return parseUnzoned(text)
  const [, timeZone = '', rest = ''] = zoned
  if (timeZone !== '' && !isTimeZone(timeZone))
    throw new ValueError(`provided bad location ${timeZone}: ${unknownTimeZone(timeZone)}`)
  return { ...parseUnzoned(rest.trim()), timeZone }
}

function parseUnzoned(text: string): Schedule {
  if (text === '') throw new ValueError('empty spec string')
  if (text.startsWith('@every ')) return { every: parseInterval(text) }
  if (!text.startsWith('@')) return parseFields(text)
  const fields = words.get(text)
  if (fields === undefined) throw new ValueError(`unrecognized descriptor: ${text}`)
  return parseFields(fields)
}

function parseInterval(text: string): Nanoseconds {
  try {
    return parseDuration(text.slice('@every '.length))
  } catch (error) {
    if (error instanceof DurationError) throw new ValueError(`failed to parse duration ${text}: ${error.message}`)
    throw error
  }
}

function parseFields(text: string): CalendarSchedule {
  const fields = text.split(/\s+/).filter((field) => field !== '')
  if (fields.length !== 5)
    throw new ValueError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`)
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields as [string, string, string, string, string]
  return {
    minute: parseField(minute, bounds.minute),
    hour: parseField(hour, bounds.hour),
    dayOfMonth: parseField(dayOfMonth, bounds.dayOfMonth),
    month: parseField(month, bounds.month),
    dayOfWeek: parseField(dayOfWeek, bounds.dayOfWeek),
  }
}

function parseField(text: string, limits: Bounds): ScheduleField {
  const ranges = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => parseRange(part, limits))
  const values = new Set<number>()
  for (const { start, end, step } of ranges) for (let value = start; value <= end; value += step) values.add(value)
  return { values, open: ranges.some(({ open }) => open) }
}

interface Range {
  readonly start: number
  readonly end: number
  readonly step: number
  readonly open: boolean
}

/** `*`, `5` or `1-5`, with an optional step: a star and `/15`, `10-40/5`, and `5/15`, which extends to the maximum. */
function parseRange(text: string, limits: Bounds): Range {
  const [limitsText = '', stepText, ...more] = text.split('/')
  const [start, end, isStar] = parseLimits(limitsText, text, limits)
  if (more.length > 0) throw new ValueError(`too many slashes: ${text}`)
  const step = stepText === undefined ? 1 : parseNumber(stepText)
  const goesOn = stepText !== undefined && !limitsText.includes('-')
  const range = { start, end: goesOn ? limits.maximum : end, step, open: isStar && step <= 1 }
  checkRange(range, text, limits)
  return range
}

function parseLimits(text: string, expression: string, { minimum, maximum, names }: Bounds): [number, number, boolean] {
  const [low = '', high, ...more] = text.split('-')
  if (low === '*' || low === '?') return [minimum, maximum, true]
  const start = parseNumberOrName(low, minimum, names)
  if (more.length > 0) throw new ValueError(`too many hyphens: ${expression}`)
  return [start, high === undefined ? start : parseNumberOrName(high, minimum, names), false]
}

function checkRange({ start, end, step }: Range, text: string, { minimum, maximum }: Bounds): void {
  if (start < minimum) throw new ValueError(`beginning of range (${start}) below minimum (${minimum}): ${text}`)
  if (end > maximum) throw new ValueError(`end of range (${end}) above maximum (${maximum}): ${text}`)
  if (start > end) throw new ValueError(`beginning of range (${start}) beyond end of range (${end}): ${text}`)
  if (step === 0) throw new ValueError(`step of range should be a positive number: ${text}`)
}

function parseNumberOrName(text: string, first: number, names: readonly string[] = []): number {
  const index = names.indexOf(text.toLowerCase())
  return index < 0 ? parseNumber(text) : first + index
}

function parseNumber(text: string): number {
  const number = parsedInteger(text)
  if (number < 0) throw new ValueError(`negative number (${number}) not allowed: ${text}`)
  return number
}

function parsedInteger(text: string): number {
  try {
    return parseInteger(text)
  } catch (error) {
    if (error instanceof ValueError) throw new ValueError(`failed to parse int from ${text}: ${error.message}`)
    throw error
  }
}
