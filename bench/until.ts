import type { Informer } from '../src/client/informers/informer.js'
import type { AnyObject } from '../src/client/resource-client.js'

/** Resolves when the condition holds. Checks it after every `every` changes, and every 100 ms. */
export async function until<T extends AnyObject>(
  informer: Informer<T>,
  condition: (informer: Informer<T>) => boolean,
  every = 1,
): Promise<void> {
  await new Promise<void>((resolve) => {
    let changes = 0
    const check = () => {
      if (!condition(informer)) return
      stop()
      clearInterval(timer)
      resolve()
    }
    const timer = setInterval(check, 100)
    const stop = informer.onChange(() => {
      if (++changes % every === 0) queueMicrotask(check)
    })
    queueMicrotask(check)
  })
}

export function isEmpty(objects: Iterable<unknown>): boolean {
  for (const _ of objects) return false
  return true
}
