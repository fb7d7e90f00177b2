import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metrics } from './metrics.js'

test('metrics are written in the text exposition format', async () => {
  const numbers = metrics()
  numbers.counter({ name: 'requests_total', help: 'Requests served.', labels: ['verb'] }).inc({ verb: 'get' }, 3)
  numbers.gauge({ name: 'open', help: 'Open now.' }).set(2)
  numbers.histogram({ name: 'seconds', help: 'How long.', buckets: [1, 10] }).observe(5)
  const text = await numbers.text()
  for (const line of [
    '# HELP requests_total Requests served.',
    '# TYPE requests_total counter',
    'requests_total{verb="get"} 3',
    'open 2',
    'seconds_bucket{le="1"} 0',
    'seconds_bucket{le="10"} 1',
    'seconds_sum 5',
  ])
    assert.ok(text.split('\n').includes(line), `${line} is missing in:\n${text}`)
})

test('the same name gives the same metric', () => {
  const numbers = metrics()
  const options = { name: 'requests_total', help: 'Requests served.', labels: ['verb'] } as const
  assert.equal(numbers.counter(options), numbers.counter(options))
})

test('one name cannot have two different metrics', () => {
  const numbers = metrics()
  numbers.counter({ name: 'requests_total', help: 'Requests served.', labels: ['verb'] })
  assert.throws(
    () => numbers.gauge({ name: 'requests_total', help: 'Requests served.', labels: ['verb'] }),
    /requests_total is a counter by \[verb\], so it cannot also be a gauge by \[verb\]/,
  )
  assert.throws(
    () => numbers.counter({ name: 'requests_total', help: 'Requests served.', labels: ['code'] }),
    /cannot also be a counter by \[code\]/,
  )
})

test('two sets of metrics are separate', async () => {
  const [one, other] = [metrics(), metrics()]
  one.counter({ name: 'requests_total', help: 'Requests served.' }).inc()
  other.counter({ name: 'requests_total', help: 'Requests served.' })
  assert.match(await one.text(), /^requests_total 1$/m)
  assert.match(await other.text(), /^requests_total 0$/m)
})
