import { ValueError } from '../../schema/value-error.js'
import { Quantity } from '../../schema/values/quantity.js'

/** An eviction threshold: an amount, or a share of the capacity. */
export type Threshold = { readonly amount: number } | { readonly share: number }

export const evictionSignals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
] as const
export type EvictionSignal = (typeof evictionSignals)[number]

export type Thresholds = ReadonlyMap<EvictionSignal, Threshold>

/** Upstream's defaults for Linux. */
export const standardThresholds: Readonly<Record<string, string>> = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
}

/** Parses `evictionHard`: `{ 'nodefs.available': '10%' }`. Ignores zeros. Throws if a value is invalid. */
export function thresholdsOf(given: Readonly<Record<string, string>>): Thresholds {
  const thresholds = new Map<EvictionSignal, Threshold>()
  for (const [signal, text] of Object.entries(given)) {
    if (!isSignal(signal)) throw new ValueError(`unsupported eviction signal ${signal}`)
    const threshold = parsed(signal, text)
    if (threshold) thresholds.set(signal, threshold)
  }
  return thresholds
}

/** Parses the flag: `memory.available<100Mi,nodefs.available<10%`. */
export function parseThresholds(text: string): Readonly<Record<string, string>> {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  const pairs = parts.map((part): [string, string] => {
    const [signal = '', value, ...more] = part.split('<').map((piece) => piece.trim())
    if (!value || more.length > 0)
      throw new ValueError(`invalid eviction threshold syntax ${part}, expected <signal><operator><value>`)
    return [signal, value]
  })
  return Object.fromEntries(pairs)
}

/** Returns the amount for a capacity. Shares have upstream's precision, so that both report the same numbers. */
export function amountOf(threshold: Threshold, capacity: number): number {
  return 'amount' in threshold ? threshold.amount : Math.trunc(capacity * Math.fround(threshold.share))
}

function isSignal(text: string): text is EvictionSignal {
  return (evictionSignals as readonly string[]).includes(text)
}

function parsed(signal: EvictionSignal, text: string): Threshold | undefined {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]
  if (percent === undefined) {
    const amount = Quantity.parse(text).value()
    if (amount < 0) throw new ValueError(`eviction threshold ${signal} must be positive: ${text}`)
    return amount === 0 ? undefined : { amount }
  }
  const share = Number(percent) / 100
  if (share > 1) throw new ValueError(`eviction percentage threshold ${signal} must be <= 100%: ${text}`)
  return share === 0 ? undefined : { share }
}
