import { setImmediate as nextTurn, setTimeout as realDelay } from 'node:timers/promises'
import { systemClock } from '../base/clock.js'

/** All in milliseconds of real time. */
const spin = 2
const longestWait = 1000
/** Halved each time that a wait was in vain. */
let patience = longestWait

/**
 * A gate of a virtual clock: undefined unless the process waits for its disk. Simulated nodes keep the files of their pods, and a clock that
 * does not wait for a disk that is slow would outrun them. A request that hangs, such as a read from a pipe, stops time for about two seconds in all.
 */
export function filesAreQuiet(): Promise<void> | undefined {
  return haveRequests() ? untilQuiet() : undefined
}

async function untilQuiet(): Promise<void> {
  const began = systemClock.monotonic()
  while (haveRequests()) {
    const waited = systemClock.monotonic() - began
    if (waited > patience) {
      patience /= 2
      return
    }
    await (waited < spin ? nextTurn() : realDelay(1))
  }
  patience = longestWait
}

function haveRequests(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
}
