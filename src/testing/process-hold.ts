let holders = 0
let timer: NodeJS.Timeout | undefined

/** The longest delay that Node's timers take, in milliseconds. */
const longestDelay = 2 ** 31 - 1

/**
 * Keeps the process alive until `work` has settled, or for `limit` milliseconds if one is given. The parts of a test cluster leave the
 * process free to exit, so that a cluster that nobody closes does not keep a test runner alive. What a test awaits must keep it alive.
 */
export function holdProcess<T>(work: Promise<T>, limit?: number): Promise<T> {
  const release = hold()
  const timeout = limit === undefined ? undefined : setTimeout(release, limit).unref()
  const settled = () => {
    clearTimeout(timeout)
    release()
  }
  work.then(settled, settled)
  return work
}

function hold(): () => void {
  if (holders++ === 0) timer = setInterval(() => {}, longestDelay)
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    if (--holders === 0) clearInterval(timer)
  }
}
