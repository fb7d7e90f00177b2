import type { Informer } from '../src/client/informers/informer.js'
import type { AnyObject } from '../src/client/resource-client.js'

/** Looks again after every so many changes, or a tenth of a second without one. */
export async function until<T extends AnyObject>(
  informer: Informer<T>,
  condition: (informer: Informer<T>) => boolean,
  every = 1,
): Promise<void> {
  await new Promise<void>((resolve) => {
    let changes = 0
    const look = () => {
      if (!condition(informer)) return
      stop()
      clearInterval(timer)
      resolve()
    }
    const timer = setInterval(look, 100)
    const stop = informer.onChange(() => {
      if (++changes % every === 0) queueMicrotask(look)
    })
    queueMicrotask(look)
  })
}

export function isEmpty(objects: Iterable<unknown>): boolean {
  for (const _ of objects) return false
  return true
}
