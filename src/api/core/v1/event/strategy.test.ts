import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Event as NewEvent } from '../../../events/v1/event.js'
import { builtin } from '../../../scheme.js'
import type { Event } from '../event.js'

const old = new KindHarness<Event>('core/v1.Event')
const strict = new KindHarness<NewEvent>('events/v1.Event')

const involvedObject = { kind: 'Pod', name: 'web', namespace: 'default' }
const eventTime = '2024-01-01T00:00:00.000000Z'
const reported = {
  eventTime,
  reportingController: 'example.com/a',
  reportingInstance: 'a-1',
  action: 'Doing',
  reason: 'Done',
  type: 'Normal',
}
const complete = { ...reported, regarding: involvedObject }

describe('events in the older version', () => {
  test('are in the namespace of the involved object', () => {
    const about = (namespace: string | undefined, own: string, more: object = {}) =>
      old.create({
        metadata: { name: 'a', namespace: own },
        involvedObject: { kind: 'X', ...(namespace && { namespace }) },
        ...more,
      }).errors
    const mismatch = (shown: string) => [
      `involvedObject.namespace: Invalid value: "${shown}": does not match event.namespace`,
    ]
    assert.deepEqual(about('default', 'default'), [])
    assert.deepEqual(about('other', 'default'), mismatch('other'))
    assert.deepEqual(about(undefined, 'default'), [])
    assert.deepEqual(about(undefined, 'kube-system'), mismatch(''))
    const { reportingController: reportingComponent, ...more } = reported
    const timed = { ...more, reportingComponent }
    assert.deepEqual(about(undefined, 'kube-system', timed), [])
    assert.deepEqual(about('other', 'shop', timed), [])
    assert.deepEqual(about(undefined, 'shop', timed), mismatch(''))
  })

  test('get the stricter validation if they have an eventTime', () => {
    assert.deepEqual(old.create({ involvedObject, eventTime, message: 'x'.repeat(1025) }).errors, [
      'reportingComponent: Required value',
      'reportingComponent: Invalid value: "": name part must be non-empty',
      `reportingComponent: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
      'message: Invalid value: "": can have at most 1024 characters',
    ])
  })

  test('may have any name and change', () => {
    assert.deepEqual(old.strategy.name!('A_b', false), [])
    const event = old.create({ involvedObject, message: 'a', count: 1 }).object
    assert.deepEqual(old.update(event, { message: 'b', count: 2 }).errors, [])
  })
})

describe('events in the newer version', () => {
  test('require a time, an action and a reason', () => {
    assert.deepEqual(strict.create(complete).errors, [])
    const rest = {
      deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2024-01-01T00:00:00Z',
      deprecatedCount: 1,
      deprecatedSource: { host: 'a' },
    }
    assert.deepEqual(
      strict.create({
        regarding: involvedObject,
        eventTime: null,
        series: { count: 1, lastObservedTime: null },
        ...rest,
      }).errors,
      [
        'series.count: Invalid value: "": should be at least 2',
        'series.lastObservedTime: Required value',
        'eventTime: Required value',
        'type: Invalid value: "": has invalid value: ',
        'firstTimestamp: Invalid value: "": needs to be unset',
        'lastTimestamp: Invalid value: "": needs to be unset',
        'count: Invalid value: "": needs to be unset',
        'source: Invalid value: "": needs to be unset',
      ],
    )
    assert.deepEqual(strict.create({ ...complete, reportingController: '' }).errors.slice(0, 1), [
      'reportingController: Required value',
    ])
  })

  test('may only change their series', () => {
    const event = strict.create(complete).object
    assert.deepEqual(strict.update(event, { series: { count: 2, lastObservedTime: eventTime } }).errors, [])
    assert.deepEqual(
      strict.update(event, { note: 'b', reason: 'c', regarding: { ...involvedObject, uid: 'u' } }).errors,
      [
        'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"default","Name":"web","UID":"u","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
        'reason: Invalid value: "c": field is immutable',
        'message: Invalid value: "b": field is immutable',
        'reason: Invalid value: "c": field is immutable',
      ],
    )
  })

  test('are the same objects', () => {
    const { toStored, fromStored } = builtin.type('events/v1.Event').strategy.stored!
    const event = strict.create({
      ...complete,
      note: 'a',
      related: { name: 'b' },
      series: { count: 2, lastObservedTime: eventTime },
      deprecatedCount: 3,
    }).object
    const kept = toStored(event as never) as unknown as Event
    assert.deepEqual(
      [kept.message, kept.involvedObject, kept.reportingComponent, kept.count],
      ['a', event.regarding, 'example.com/a', 3],
    )
    assert.deepEqual(fromStored(kept as never), event)
  })
})

test('both show the same and are selected alike', () => {
  const made = '2024-01-01T00:00:00Z'
  const event = old.create({
    metadata: { name: 'a', namespace: 'default' },
    involvedObject,
    type: 'Normal',
    message: ' hello\n',
    source: { component: 'kubelet', host: 'n1' },
    firstTimestamp: made,
    lastTimestamp: '2024-01-01T00:00:30Z',
    count: 4,
  }).object
  assert.deepEqual(old.row(event), {
    'Last Seen': '30s',
    Type: 'Normal',
    Reason: '',
    Object: 'pod/web',
    Subobject: '',
    Source: 'kubelet, n1',
    Message: 'hello',
    'First Seen': '60s',
    Count: 4,
    Name: 'a',
  })
  const series = { count: 9, lastObservedTime: '2024-01-01T00:00:50.000000Z' }
  const row = strict.row(strict.create({ ...complete, regarding: { kind: 'Node' }, series }).object)
  assert.deepEqual(
    ['Last Seen', 'Object', 'Source', 'First Seen', 'Count'].map((name) => row[name]),
    ['10s', 'node', 'example.com/a, a-1', '60s', 9],
  )
  assert.equal(strict.row(strict.create(complete).object).Count, 1)
  assert.equal(old.strategy.fields!.source!(event), 'kubelet')
  assert.equal(old.strategy.fields!['involvedObject.kind']!(event), 'Pod')
  assert.equal(strict.strategy.stored!.fields!['regarding.name'], 'involvedObject.name')
})
