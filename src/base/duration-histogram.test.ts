import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DurationHistogram } from './duration-histogram.js'

test('durations are reported as a histogram with cumulative buckets', () => {
  const tally = new DurationHistogram()
  assert.deepEqual(tally.samples('took', {}), [])
  for (const seconds of [0.0005, 0.001, 0.02, 100]) tally.observe(seconds)
  const samples = tally.samples('took', { operation: 'get' })
  const bucket = (le: number | string) => samples.find(({ labels }) => labels.le === le)?.value
  assert.equal(bucket(0.001), 2)
  assert.equal(bucket(0.01), 2)
  assert.equal(bucket(0.025), 3)
  assert.equal(bucket(60), 3)
  assert.equal(bucket('+Inf'), 4)
  assert.deepEqual(samples.at(-1), { metricName: 'took_count', labels: { operation: 'get' }, value: 4 })
})
