import type { Clock } from '../../base/clock.js'

/** Calls `end` when for `limit` milliseconds nothing has happened, until it is released. One timer, however much happens. */
export function guardIdle(
  clock: Clock,
  limit: number,
  end: () => void,
): { readonly happened: () => void; readonly release: () => void } {
  let last = clock.monotonic()
  let timer = clock.timer(limit, look)
  function look(): void {
    const silent = clock.monotonic() - last
    if (silent >= limit) end()
    else timer = clock.timer(limit - silent, look)
  }
  return {
    happened: () => {
      last = clock.monotonic()
    },
    release: () => timer.cancel(),
  }
}
