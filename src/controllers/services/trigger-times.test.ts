import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import { TriggerTimes, withTriggerTime } from './trigger-times.js'

describe('the trigger time of a service', () => {
  const service = (created: string) =>
    ({ metadata: { name: 'web', namespace: 'shop', creationTimestamp: created } }) as unknown as Service
  const ready = (name: string, time: string) =>
    ({
      metadata: { name },
      status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }] },
    }) as unknown as Pod

  test('is first the creation of the service, then the earliest change of a pod, then none', () => {
    const times = new TriggerTimes()
    assert.equal(times.next(service('t1'), [ready('a', 't3')]), 't1')
    assert.equal(times.next(service('t1'), [ready('a', 't5'), ready('b', 't4')]), 't4')
    assert.equal(times.next(service('t1'), [ready('a', 't5'), ready('b', 't4')]), undefined)
    assert.equal(times.next(service('t6'), [ready('b', 't4')]), 't6')
    times.forget('shop/web')
    assert.equal(times.next(service('t6'), []), 't6')
  })

  test('is written into an annotation, or removed', () => {
    const name = 'endpoints.kubernetes.io/last-change-trigger-time'
    assert.deepEqual(withTriggerTime({ a: 'b' }, 't'), { a: 'b', [name]: 't' })
    assert.deepEqual(withTriggerTime({ a: 'b', [name]: 't' }, undefined), { a: 'b' })
  })
})
