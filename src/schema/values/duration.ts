const secondsPer = { minute: 60, hour: 3600, day: 86_400, year: 365 * 86_400 } as const

/**
 * Formats an age like `kubectl get`, with two or three significant figures: `119s`, `5m30s`, `3h12m`, `2d3h`, `5y12d`. Less than two
 * seconds in the future is `0s`, because clocks differ; more is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 2 * secondsPer.minute) return `${Math.max(seconds, 0)}s`
  if (seconds < 10 * secondsPer.minute) return parts(seconds, ['m', secondsPer.minute], ['s', 1])
  if (seconds < 3 * secondsPer.hour) return parts(seconds, ['m', secondsPer.minute])
  if (seconds < 8 * secondsPer.hour) return parts(seconds, ['h', secondsPer.hour], ['m', secondsPer.minute])
  if (seconds < 2 * secondsPer.day) return parts(seconds, ['h', secondsPer.hour])
  if (seconds < 8 * secondsPer.day) return parts(seconds, ['d', secondsPer.day], ['h', secondsPer.hour])
  if (seconds < 2 * secondsPer.year) return parts(seconds, ['d', secondsPer.day])
  if (seconds < 8 * secondsPer.year) return parts(seconds, ['y', secondsPer.year], ['d', secondsPer.day])
  return parts(seconds, ['y', secondsPer.year])
}

/** Formats an age with one unit: `59s`, `3h`, `2d`. */
export function shortHumanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < secondsPer.minute) return `${Math.max(seconds, 0)}s`
  if (seconds < secondsPer.hour) return parts(seconds, ['m', secondsPer.minute])
  if (seconds < secondsPer.day) return parts(seconds, ['h', secondsPer.hour])
  return seconds < secondsPer.year ? parts(seconds, ['d', secondsPer.day]) : parts(seconds, ['y', secondsPer.year])
}

type Unit = readonly [letter: string, seconds: number]

/** Omits a second part of zero. */
function parts(seconds: number, [letter, unit]: Unit, rest?: Unit): string {
  const remaining = rest ? Math.floor((seconds % unit) / rest[1]) : 0
  return `${Math.floor(seconds / unit)}${letter}${rest && remaining > 0 ? remaining + rest[0] : ''}`
}
