const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** A quantity such as `500Mi`, as a number that is good enough to sort by; undefined for what is none. */
export function parseQuantityValue(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const [, number, unit = ''] = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([numkMGTPE]?i?)$/.exec(value) ?? []
  const factor = Object.hasOwn(factors, unit) ? factors[unit] : undefined
  return number === undefined || factor === undefined ? undefined : Number(number) * factor
}
