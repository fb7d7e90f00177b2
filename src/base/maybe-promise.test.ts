import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { firstDefined, forEachInOrder, isPromise, type MaybePromise, recover, whenReady } from './maybe-promise.js'

/** The result of one step: a value or an error, at once or as a promise. */
interface Step {
  readonly value: number | undefined
  readonly fails: boolean
  readonly isLate: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  value: fc.option(fc.nat(3), { nil: undefined }),
  fails: fc.boolean(),
  isLate: fc.boolean(),
})

function take({ value, fails, isLate }: Step): MaybePromise<number | undefined> {
  if (isLate) return fails ? Promise.reject(new Error(`${value}`)) : Promise.resolve(value)
  if (fails) throw new Error(`${value}`)
  return value
}

/** Returns the value, or the message of the error. */
async function settled(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return (error as Error).message
  }
}

describe('whenReady', () => {
  test('calls at once with a value, and later with the value of a promise', async () => {
    assert.equal(
      whenReady(1, (value) => value + 1),
      2,
    )
    const later = whenReady(Promise.resolve(1), (value) => value + 1)
    assert.ok(isPromise(later))
    assert.equal(await later, 2)
  })

  test('gives the result of awaiting both steps', async () => {
    await fc.assert(
      fc.asyncProperty(step, step, async (first, second) => {
        const seen = await settled(() => whenReady(take(first), () => take(second)))
        const expected = await settled(async () => {
          await take(first)
          return await take(second)
        })
        assert.equal(seen, expected)
      }),
    )
  })
})

describe('recover', () => {
  test('handles thrown errors and rejections', async () => {
    const message = (error: unknown) => (error as Error).message
    const thrown = recover(() => {
      throw new Error('thrown')
    }, message)
    assert.equal(thrown, 'thrown')
    assert.equal(await recover(() => Promise.reject(new Error('rejected')), message), 'rejected')
  })

  test('does not change a successful result', async () => {
    const never = () => assert.fail('nothing failed')
    assert.equal(
      recover(() => 1, never),
      1,
    )
    assert.equal(await recover(() => Promise.resolve(1), never), 1)
  })
})

describe('firstDefined and forEachInOrder', () => {
  test('return a plain value if there is no promise', () => {
    const seen: number[] = []
    const found = firstDefined([1, 2, 3], (item) => {
      seen.push(item)
      return item === 2 ? 'two' : undefined
    })
    assert.equal(found, 'two')
    assert.deepEqual(seen, [1, 2])
    const all: number[] = []
    assert.equal(
      forEachInOrder([1, 2], (item) => void all.push(item)),
      undefined,
    )
    assert.deepEqual(all, [1, 2])
  })

  test('start an item only when the previous one has ended', async () => {
    const log: string[] = []
    await forEachInOrder([1, 2], async (item) => {
      log.push(`begin ${item}`)
      await Promise.resolve()
      log.push(`end ${item}`)
    })
    assert.deepEqual(log, ['begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  test('give the result of a loop with await, for any mix of promises', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const visited: Step[] = []
        const seen = await settled(() =>
          firstDefined(steps, (one) => {
            visited.push(one)
            return take(one)
          }),
        )
        const expected: Step[] = []
        const found = await settled(async () => {
          for (const one of steps) {
            expected.push(one)
            const value = await take(one)
            if (value !== undefined) return value
          }
          return undefined
        })
        assert.equal(seen, found)
        assert.deepEqual(visited, expected)
      }),
    )
  })

  test('handle a hundred thousand values without a growing stack', async () => {
    let count = 0
    await forEachInOrder(Array(100_000).keys(), (item) => {
      count++
      return item % 1000 === 0 ? Promise.resolve() : undefined
    })
    assert.equal(count, 100_000)
  })
})
