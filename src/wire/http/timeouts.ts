import type { Clock } from '../../base/clock.js'

export interface Timeout {
  readonly clock: Clock
  readonly milliseconds: number
  /** Builds the error that the request fails with. */
  readonly error: () => Error
}

export interface IdleTimer {
  /** Notes that something was received. */
  readonly restart: () => void
  readonly stop: () => void
}

/** Calls `end` after `milliseconds` without a restart. Uses one timer, however often it is restarted. */
export function startIdleTimer({ clock, milliseconds, error }: Timeout, end: (error: Error) => void): IdleTimer {
  let last = clock.monotonic()
  let timer = clock.timer(milliseconds, check)
  function check(): void {
    const silence = clock.monotonic() - last
    if (silence >= milliseconds) end(error())
    else timer = clock.timer(milliseconds - silence, check)
  }
  return {
    restart: () => {
      last = clock.monotonic()
    },
    stop: () => timer.cancel(),
  }
}
