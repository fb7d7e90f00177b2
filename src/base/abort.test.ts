import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as realDelay } from 'node:timers/promises'
import { whenAborted } from './abort.js'

test('an abort calls each listener once, and none that was removed', () => {
  const abort = new AbortController()
  const seen: string[] = []
  whenAborted(abort.signal, () => seen.push('listening'))
  whenAborted(abort.signal, () => seen.push('stopped'))()
  abort.abort()
  abort.abort()
  assert.deepEqual(seen, ['listening'])
})

test('without a signal nothing happens', () => {
  whenAborted(undefined, () => assert.fail())()
})

test('a signal with many listeners is not reported as a leak', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const { signal } = new AbortController()
  for (let i = 0; i < 100; i++) whenAborted(signal, () => {})
  await realDelay(1)
  process.off('warning', note)
  assert.deepEqual(warnings, [])
})
