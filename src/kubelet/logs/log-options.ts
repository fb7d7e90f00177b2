import type { Clock } from '../../base/clock.js'
import { nanosecondsOf } from './log-line.js'

/** The options of a log request. */
export interface LogOptions {
  readonly follow: boolean
  readonly previous: boolean
  readonly timestamps: boolean
  /** Nanoseconds since the epoch. */
  readonly since?: bigint
  readonly tailLines?: number
  readonly limitBytes?: number
  readonly stream: 'All' | 'Stdout' | 'Stderr'
}

/** The query is malformed (400) or invalid (422). */
export class LogOptionsError extends Error {
  override readonly name = 'LogOptionsError'
  readonly code: 400 | 422

  constructor(code: 400 | 422) {
    super(code === 400 ? '{"message": "Unable to decode query."}' : '{"message": "Invalid request."}')
    this.code = code
  }
}

/** Parses the query of a log request. Throws a `LogOptionsError`. */
export function logOptions(query: URLSearchParams, clock: Clock): LogOptions {
  const tailLines = query.get('tail') === 'all' ? undefined : integerIn(query, query.has('tail') ? 'tail' : 'tailLines')
  const limitBytes = integerIn(query, 'limitBytes')
  const stream = query.get('stream') || 'All'
  const since = sinceOf(query, clock)
  if ((tailLines ?? 0) < 0 || (limitBytes ?? 1) < 1) throw new LogOptionsError(422)
  if (stream !== 'All' && stream !== 'Stdout' && stream !== 'Stderr') throw new LogOptionsError(422)
  if (stream !== 'All' && tailLines !== undefined) throw new LogOptionsError(422)
  return {
    follow: booleanIn(query, 'follow'),
    previous: booleanIn(query, 'previous'),
    timestamps: booleanIn(query, 'timestamps'),
    stream,
    ...(since !== undefined && { since }),
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
  }
}

function sinceOf(query: URLSearchParams, clock: Clock): bigint | undefined {
  const seconds = integerIn(query, 'sinceSeconds')
  const time = query.get('sinceTime') || undefined
  if (seconds !== undefined && (time !== undefined || seconds < 1)) throw new LogOptionsError(422)
  if (seconds !== undefined) return BigInt(clock.now() - 1000 * seconds) * 1_000_000n
  if (time === undefined) return undefined
  const since = nanosecondsOf(time)
  if (since === undefined) throw new LogOptionsError(400)
  return since
}

function integerIn(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name) ?? ''
  if (given === '') return undefined
  if (!/^[+-]?\d+$/.test(given) || BigInt.asIntN(64, BigInt(given)) !== BigInt(given)) throw new LogOptionsError(400)
  return Number(given)
}

function booleanIn(query: URLSearchParams, name: string): boolean {
  const given = query.get(name)
  return given !== null && given !== 'false' && given !== '0'
}
