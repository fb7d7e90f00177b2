import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../base/clock.js'
import { metrics as newMetrics } from '../base/metrics.js'
import type { Store } from '../storage/store.js'
import { measuredStore } from './measured-store.js'
import type { RequestContext } from './request/request-context.js'
import { RequestMetrics } from './request/request-metrics.js'

/** Its monotonic time moves on by 0.4 ms while its wall clock is set back by an hour. */
function clockThatIsSetBack() {
  let isSetBack = false
  const clock: Clock = {
    now: () => (isSetBack ? 0 : 3_600_000),
    monotonic: () => (isSetBack ? 10.4 : 10),
    timer: () => assert.fail('no timer is needed'),
  }
  return {
    clock,
    setBack: () => {
      isSetBack = true
    },
  }
}

test('the store is timed by the monotonic clock, with fractions of a millisecond', async () => {
  const { clock, setBack } = clockThatIsSetBack()
  const metrics = newMetrics()
  const slow: Pick<Store, 'get'> = {
    get: async () => {
      await Promise.resolve()
      setBack()
      return { revision: 1, entry: undefined }
    },
  }
  await measuredStore(slow as Store, { clock, metrics }).get('key')
  assert.match(await metrics.text(), /etcd_request_duration_seconds_sum\{operation="get"\} 0\.0004/)
})

test('requests are timed by the monotonic clock, with fractions of a millisecond', async () => {
  const { clock, setBack } = clockThatIsSetBack()
  const metrics = newMetrics()
  const observer = new RequestMetrics({ clock, metrics })
  const info = { verb: 'get', isResource: true, resource: 'pods', group: '', version: 'v1', namespace: 'n', name: 'p' }
  const request = { method: 'GET', path: '/' }
  const context = { info, request, received: clock.now(), began: clock.monotonic() } as unknown as RequestContext
  observer.begin(context)
  setBack()
  observer.end(context, 200)
  assert.match(await metrics.text(), /apiserver_request_duration_seconds_sum\{[^}]*\} 0\.0004/)
})
