import { settleAll } from '../runtime/concurrency.js'

/**
 * Calls `create` `count` times: once, then twice at the same time, then four times … If a call fails, its batch is awaited, no further batch
 * starts and the first failure is thrown: a full quota would reject all the others as well.
 */
export async function slowStart(count: number, create: (index: number) => Promise<unknown>): Promise<void> {
  let started = 0
  for (let batch = Math.min(1, count); batch > 0; batch = Math.min(2 * batch, count - started)) {
    const first = started
    started += batch
    await settleAll(Array.from({ length: batch }, (_, index) => create(first + index)))
  }
}
