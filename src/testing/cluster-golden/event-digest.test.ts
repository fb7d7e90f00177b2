import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../api/core/v1/event.js'
import { eventDifferences, eventDigest } from './event-digest.js'
import { ObjectNormalForm } from './object-normal-form.js'

const variables = { ns: 'c-1-run', id: 'run1' }
const normal = new ObjectNormalForm(variables, '')
const options = { keep: true, normal, needs: 'controllers', variables } as const

function event(reason: string, message: string, component = 'job-controller'): Event {
  const involvedObject = { kind: 'Job', name: 'j' }
  return { type: 'Normal', reason, message, involvedObject, source: { component } } as unknown as Event
}

test('what was told is listed once, sorted, with names in normal form', () => {
  const events = [event('Completed', 'Job completed'), event('Made', 'pod j-bcdfg'), event('Made', 'pod j-vwxz2')]
  assert.deepEqual(eventDigest(events, options), [
    { type: 'Normal', reason: 'Completed', message: 'Job completed', object: 'Job/j', from: 'job-controller' },
    { type: 'Normal', reason: 'Made', message: 'pod j-<rand>', object: 'Job/j', from: 'job-controller' },
  ])
})

test('chance, and the scheduler where it is not the subject, are left out', () => {
  const racy = [
    event('Failed', 'the object has been modified; please apply your changes to the latest version'),
    event('FailedCreate', 'unable to create: because it is being terminated'),
    event('FailedScheduling', 'no luck', 'default-scheduler'),
  ]
  assert.deepEqual(eventDigest(racy, options), [])
  assert.equal(eventDigest(racy, { ...options, needs: 'scheduler' }).length, 1)
  assert.deepEqual(
    eventDigest([event('A', 'a'), event('B', 'b')], { ...options, keep: ({ reason }) => reason === 'C' }),
    [],
  )
})

test('digests are compared as sets', () => {
  const [one, other] = eventDigest([event('A', 'a'), event('B', 'b')], options)
  assert.deepEqual(eventDifferences([one!, other!], [other!, one!]), [])
  const [missing, unexpected] = eventDifferences([one!], [other!])
  assert.match(missing!, /^missing .*"reason":"A"/)
  assert.match(unexpected!, /^unexpected .*"reason":"B"/)
})
