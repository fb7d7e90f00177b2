const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** `5s`, `3m20s`, `45m`, `5h10m`, `2d3h`, `15d`, `2y30d`: a duration in its two largest units. */
export function ageText(milliseconds: number): string {
  const whole = (unit: number) => Math.floor(milliseconds / unit)
  if (milliseconds < -second) return '<invalid>'
  if (milliseconds < 2 * minute) return `${Math.max(whole(second), 0)}s`
  if (milliseconds < 10 * minute) return two(milliseconds, minute, 'm', [second, 's'])
  if (milliseconds < 3 * hour) return `${whole(minute)}m`
  if (milliseconds < 8 * hour) return two(milliseconds, hour, 'h', [minute, 'm'])
  if (milliseconds < 2 * day) return `${whole(hour)}h`
  if (milliseconds < 8 * day) return two(milliseconds, day, 'd', [hour, 'h'])
  if (milliseconds < 2 * year) return `${whole(day)}d`
  return milliseconds < 8 * year ? two(milliseconds, year, 'y', [day, 'd']) : `${whole(year)}y`
}

function two(length: number, unit: number, letter: string, [part, small]: readonly [number, string]): string {
  const rest = Math.floor((length % unit) / part)
  return `${Math.floor(length / unit)}${letter}${rest === 0 ? '' : `${rest}${small}`}`
}
