import { daysIn, type Instant, microLayout, parseInstant, secondLayout } from './time-parse.js'

/** The zero time of Go: clients that send it mean no time. */
export const zeroTime = '0001-01-01T00:00:00Z'
export const zeroMicroTime = '0001-01-01T00:00:00.000000Z'

/** The canonical form of a time: UTC, whole seconds. Throws `ValueError` if it is malformed. */
export function canonicalTime(text: string): string {
  if (text.length === 20 && isPlainSecond(text) && text.charCodeAt(19) === letterZ) return text
  return `${dateAndTime(parseInstant(text, secondLayout).seconds)}Z`
}

/** The canonical form of a time with microseconds. The input must have all six digits. */
export function canonicalMicroTime(text: string): string {
  if (text.length === 27 && isPlainSecond(text) && isPlainMicrosecond(text)) return text
  return microText(parseInstant(text, microLayout))
}

/** Milliseconds since the Unix epoch, truncated. */
export function parseTime(text: string): number {
  const { seconds, nanoseconds } = parseInstant(text, secondLayout)
  return seconds * 1000 + Math.floor(nanoseconds / 1_000_000)
}

/** Milliseconds since the Unix epoch, with three decimals. */
export function parseMicroTime(text: string): number {
  const { seconds, nanoseconds } = parseInstant(text, microLayout)
  return seconds * 1000 + Math.floor(nanoseconds / 1000) / 1000
}

/** Formats milliseconds since the Unix epoch as `2006-01-02T15:04:05Z`. */
export function formatTime(milliseconds: number): string {
  return `${dateAndTime(Math.floor(milliseconds / 1000))}Z`
}

/** Formats milliseconds since the Unix epoch, with up to three decimals, as `2006-01-02T15:04:05.000000Z`. */
export function formatMicroTime(milliseconds: number): string {
  return microText(instantOf(milliseconds))
}

/** Splits off the seconds first: microseconds since the epoch exceed the precision of a double from the year 2255. */
function instantOf(milliseconds: number): Instant {
  const seconds = Math.floor(milliseconds / 1000)
  const microseconds = Math.round((milliseconds - seconds * 1000) * 1000)
  return microseconds < 1_000_000
    ? { seconds, nanoseconds: microseconds * 1000 }
    : { seconds: seconds + 1, nanoseconds: 0 }
}

function microText({ seconds, nanoseconds }: Instant): string {
  return `${dateAndTime(seconds)}.${pad(Math.floor(nanoseconds / 1000), 6)}Z`
}

/** Years below 0 and above 9999 can occur, because a time zone can move a time across the limit. */
function dateAndTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  const year = date.getUTCFullYear()
  const day = `${year < 0 ? '-' : ''}${pad(Math.abs(year), 4)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
  return `${day}T${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
}

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

const dash = 0x2d
const point = 0x2e
const colon = 0x3a
const letterT = 0x54
const letterZ = 0x5a

/** Fast check without allocation: whether a text starts with a valid date and time, with two digits for each part. */
function isPlainSecond(text: string): boolean {
  return isPlainDate(text) && text.charCodeAt(10) === letterT && isPlainClock(text)
}

function isPlainDate(text: string): boolean {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hasDashes = text.charCodeAt(4) === dash && text.charCodeAt(7) === dash
  return hasDashes && year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function isPlainClock(text: string): boolean {
  const hasColons = text.charCodeAt(13) === colon && text.charCodeAt(16) === colon
  return hasColons && twoDigits(text, 11) < 24 && twoDigits(text, 14) < 60 && twoDigits(text, 17) < 60
}

function isPlainMicrosecond(text: string): boolean {
  const hasDigits = twoDigits(text, 20) + twoDigits(text, 22) + twoDigits(text, 24) >= 0
  return hasDigits && text.charCodeAt(19) === point && text.charCodeAt(26) === letterZ
}

/** NaN for anything but two digits, so that every comparison is false. */
function twoDigits(text: string, position: number): number {
  const tens = text.charCodeAt(position) - 0x30
  const ones = text.charCodeAt(position + 1) - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}
