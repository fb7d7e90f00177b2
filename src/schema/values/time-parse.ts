import { quoteBytes } from '../quote.js'
import { ValueError } from '../value-error.js'

/** An exact point in time. */
export interface Instant {
  /** Since the Unix epoch. */
  readonly seconds: number
  /** From 0 to 999,999,999. */
  readonly nanoseconds: number
}

/**
 * The required format of a time, in pieces. Errors name the layout and the piece with Go's reference time: 2 January 2006, 15:04:05.
 */
export interface TimeLayout {
  readonly text: string
  readonly pieces: readonly Piece[]
}

interface Piece {
  /** The literal text before the piece. */
  readonly before: string
  readonly text: string
  readonly read: (reader: Reader) => void
}

/**
 * Parses a time. Throws `ValueError` with the first wrong piece. Accepts the same deviations from RFC 3339 as Go: hours of one digit, a
 * comma before the fraction, zones of 24 hours and 60 minutes.
 */
export function parseInstant(text: string, layout: TimeLayout): Instant {
  const reader = new Reader(text, layout)
  for (const piece of layout.pieces) reader.take(piece)
  return reader.finish()
}

class Reader {
  year = 0
  month = 0
  day = 0
  seconds = 0
  nanoseconds = 0
  rest: string
  readonly #text: string
  readonly #layout: TimeLayout
  #piece = ''
  #start = ''

  constructor(text: string, layout: TimeLayout) {
    this.#text = text
    this.#layout = layout
    this.rest = text
  }

  take(piece: Piece): void {
    this.#piece = piece.before
    this.#start = this.rest
    if (!this.rest.startsWith(piece.before)) this.refuse()
    this.rest = this.rest.slice(piece.before.length)
    this.#piece = piece.text
    this.#start = this.rest
    piece.read(this)
  }

  /** Reads two digits, or a single one if allowed. */
  number(singleDigit = false): number {
    const digits = (singleDigit ? /^\d\d?/ : /^\d\d/).exec(this.rest)?.[0] ?? this.refuse()
    this.rest = this.rest.slice(digits.length)
    return Number(digits)
  }

  within(value: number, limit: number, what: string): number {
    if (value >= limit) this.outOfRange(what)
    return value
  }

  finish(): Instant {
    if (this.rest !== '') this.fail(`: extra text: ${quoteBytes(this.rest)}`)
    if (this.day < 1 || this.day > daysIn(this.year, this.month)) this.outOfRange('day')
    const midnight = daysSinceEpoch(this.year, this.month, this.day) * 86_400
    return { seconds: midnight + this.seconds, nanoseconds: this.nanoseconds }
  }

  /** Throws an error about the current piece. */
  refuse(): never {
    const layout = quoteBytes(this.#layout.text)
    this.fail(` as ${layout}: cannot parse ${quoteBytes(this.#start)} as ${quoteBytes(this.#piece)}`)
  }

  outOfRange(what: string): never {
    this.fail(`: ${what} out of range`)
  }

  fail(what: string): never {
    throw new ValueError(`parsing time ${quoteBytes(this.#text)}${what}`)
  }
}

function readYear(reader: Reader): void {
  if (!/^\d{4}/.test(reader.rest)) reader.refuse()
  reader.year = Number(reader.rest.slice(0, 4))
  reader.rest = reader.rest.slice(4)
}

function readMonth(reader: Reader): void {
  reader.month = reader.within(reader.number(), 13, 'month')
  if (reader.month === 0) reader.outOfRange('month')
}

function readDay(reader: Reader): void {
  reader.day = reader.number()
}

function readHour(reader: Reader): void {
  reader.seconds += reader.within(reader.number(true), 24, 'hour') * 3600
}

function readMinute(reader: Reader): void {
  reader.seconds += reader.within(reader.number(), 60, 'minute') * 60
}

function readSecond(reader: Reader): void {
  reader.seconds += reader.within(reader.number(), 60, 'second')
}

/** Accepts a fraction of any length, although the layout has none. */
function readSecondWithFraction(reader: Reader): void {
  readSecond(reader)
  const fraction = /^[.,]\d+/.exec(reader.rest)?.[0]
  if (!fraction) return
  reader.nanoseconds = Number(fraction.slice(1, 10).padEnd(9, '0'))
  reader.rest = reader.rest.slice(fraction.length)
}

/** Reads exactly six characters after the point. Accepts a sign among them, as Go does. */
function readMicroseconds(reader: Reader): void {
  const digits = /^[.,]([+-]\d{5}|\d{6})/.exec(reader.rest)?.[1] ?? reader.refuse()
  const nanoseconds = Number(digits) * 1000
  reader.rest = reader.rest.slice(7)
  if (nanoseconds < 0) reader.outOfRange('fractional second')
  reader.nanoseconds = nanoseconds
}

function readZone(reader: Reader): void {
  if (reader.rest.startsWith('Z')) {
    reader.rest = reader.rest.slice(1)
    return
  }
  const [text = reader.refuse(), sign, hours, minutes] = /^(.)(\d\d):(\d\d)/s.exec(reader.rest) ?? []
  const seconds =
    reader.within(Number(minutes), 61, 'time zone offset minute') * 60 +
    reader.within(Number(hours), 25, 'time zone offset hour') * 3600
  if (sign !== '+' && sign !== '-') reader.refuse()
  reader.seconds -= sign === '+' ? seconds : -seconds
  reader.rest = reader.rest.slice(text.length)
}

const date: readonly Piece[] = [
  { before: '', text: '2006', read: readYear },
  { before: '-', text: '01', read: readMonth },
  { before: '-', text: '02', read: readDay },
  { before: 'T', text: '15', read: readHour },
  { before: ':', text: '04', read: readMinute },
]
const zone: Piece = { before: '', text: 'Z07:00', read: readZone }

export const secondLayout: TimeLayout = {
  text: '2006-01-02T15:04:05Z07:00',
  pieces: [...date, { before: ':', text: '05', read: readSecondWithFraction }, zone],
}

export const microLayout: TimeLayout = {
  text: '2006-01-02T15:04:05.000000Z07:00',
  pieces: [
    ...date,
    { before: ':', text: '05', read: readSecond },
    { before: '', text: '.000000', read: readMicroseconds },
    zone,
  ],
}

const daysPerMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** `month` is 1 for January. */
export function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeapYear ? 29 : daysPerMonth[month - 1]!
}

/** `Date.UTC` alone would map the years 0 to 99 to the twentieth century. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / 86_400_000
}
