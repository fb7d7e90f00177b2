import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { sleep, systemClock } from './clock.js'
import { VirtualClock } from './virtual-clock.js'

/** Keeps the process alive while a test waits: timers of the system clock do not. */
async function stayingAlive<T>(work: Promise<T>): Promise<T> {
  const anchor = setInterval(() => {}, 1000)
  try {
    return await work
  } finally {
    clearInterval(anchor)
  }
}

test('a timer of the system clock never fires early, with fractions of milliseconds', async () => {
  const delays = Array.from({ length: 200 }, (_, i) => 0.3 + i / 20)
  const early = delays.map(async (delay) => {
    const start = systemClock.monotonic()
    await sleep(systemClock, delay)
    return delay - (systemClock.monotonic() - start)
  })
  const worst = Math.max(...(await stayingAlive(Promise.all(early))))
  // The difference of two readings is rounded, so an exact comparison could fail in the last digit.
  assert.ok(worst < 1e-6, `early by ${worst} ms`)
})

test('a single timer does not fire early either', async () => {
  const oneAfterTheOther = async () => {
    for (let i = 0; i < 50; i++) {
      // Starts at another fraction of a millisecond each time.
      for (const begin = systemClock.monotonic() + i / 50; systemClock.monotonic() < begin; );
      const start = systemClock.monotonic()
      await sleep(systemClock, 1.95)
      const took = systemClock.monotonic() - start
      assert.ok(took > 1.95 - 1e-6, `took only ${took} ms`)
    }
  }
  await stayingAlive(oneAfterTheOther())
})

test('timers of the system clock fire by due time, then by creation, and promises settle in between', async () => {
  const seen: string[] = []
  const note = (name: string) =>
    systemClock.timer(name === 'late' ? 5 : 2, () => {
      seen.push(name)
      Promise.resolve()
        .then(() => {})
        .then(() => seen.push(`${name} settled`))
    })
  for (const name of ['late', 'one', 'two', 'three']) note(name)
  await stayingAlive(sleep(systemClock, 10))
  assert.deepEqual(seen, ['one', 'one settled', 'two', 'two settled', 'three', 'three settled', 'late', 'late settled'])
})

test('a delay above the limit of Node does not end at once', async () => {
  let ran = false
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const timers = [2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY].map((delay) =>
    systemClock.timer(delay, () => {
      ran = true
    }),
  )
  await stayingAlive(sleep(systemClock, 10))
  process.off('warning', note)
  assert.deepEqual([ran, warnings], [false, []])
  for (const timer of timers) timer.cancel()
})

test('a cancelled timer never fires, and cancelling again or too late does nothing', async () => {
  const seen: string[] = []
  const cancelled = systemClock.timer(1, () => seen.push('cancelled'))
  const ran = systemClock.timer(1, () => seen.push('ran'))
  cancelled.cancel()
  cancelled.cancel()
  await stayingAlive(sleep(systemClock, 5))
  ran.cancel()
  assert.deepEqual(seen, ['ran'])
})

test('a delay must be a number', () => {
  assert.throws(() => systemClock.timer(Number.NaN, () => {}), RangeError)
})

test('a timer does not keep the process alive', () => {
  const program = `import { systemClock } from ${JSON.stringify(new URL('./clock.js', import.meta.url).href)}
    systemClock.timer(3_600_000, () => {})`
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { timeout: 60_000 })
})

test('an error in a timer is reported, and later timers still fire', () => {
  const program = `import { systemClock } from ${JSON.stringify(new URL('./clock.js', import.meta.url).href)}
    process.on('uncaughtException', (error) => console.log('uncaught ' + error.message))
    systemClock.timer(1, () => { throw new Error('boom') })
    systemClock.timer(1, () => console.log('next'))
    setTimeout(() => {}, 50)`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  assert.equal(output, 'uncaught boom\nnext\n')
})

test('sleep rejects with the reason of the signal, at once, and leaves no timer', async () => {
  const clock = new VirtualClock()
  const abort = new AbortController()
  const sleeping = sleep(clock, 3_600_000, abort.signal)
  assert.equal(clock.pending, 1)
  abort.abort(new Error('enough'))
  await assert.rejects(sleeping, /enough/)
  await assert.rejects(sleep(clock, 1, abort.signal), /enough/)
  assert.equal(clock.pending, 0)
})
