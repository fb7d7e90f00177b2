import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ObjectNormalForm } from './object-normal-form.js'

const normal = new ObjectNormalForm({ ns: 'c-1-run', id: 'run1', node: 'worker' }, '"ip":"10.9.0.1"')
const uid = '0b0c0d0e-1111-2222-3333-444455556666'

test('what is random in names becomes a label', () => {
  assert.equal(normal.of('web-7d9f8c6b5d-x2vkz'), 'web-<hash>-<rand>')
  assert.equal(normal.of('web-7d9f8c6b5d'), 'web-<hash>')
  assert.equal(normal.of('job-x2vkz job-28222'), 'job-<rand> job-<rand>')
  assert.equal(normal.of('cj-29456781'), 'cj-<minutes>')
  assert.equal(normal.of('web-again'), 'web-again', 'a word is not made of such letters')
  assert.equal(normal.of('pod-template-hash=abc12,app=web'), 'pod-template-hash=<hash>,app=web')
  const metadata = { generateName: 'made-up-', name: 'made-up-bcdfg' }
  assert.deepEqual(normal.of(metadata), { generateName: 'made-up-', name: 'made-up-<rand>' })
})

test('identities, times, addresses and revisions become labels; addresses that the scenario names stay', () => {
  assert.equal(normal.of(`pod ${uid} at 2026-01-01T00:00:00Z on worker`), 'pod <uid> at <time> on <node>')
  assert.equal(normal.of('10.9.0.1, 127.0.0.1, 10.1.0.7'), '10.9.0.1, 127.0.0.1, <ip>')
  assert.deepEqual(normal.of({ resourceVersion: '17', nodePort: 30123 }), {
    resourceVersion: '<rv>',
    nodePort: '<nodePort>',
  })
  assert.deepEqual(normal.of({ 'in-c-1-run': 'held-run1' }), { 'in-{ns}': 'held-{id}' })
})

test('lists whose order says nothing are sorted, others are not', () => {
  const ready = { type: 'Ready', status: 'True' }
  const initialized = { type: 'Initialized', status: 'True' }
  assert.deepEqual(normal.of([ready, initialized]), [initialized, ready])
  assert.deepEqual(normal.of({ taints: [{ key: 'b' }, { key: 'a' }] }), { taints: [{ key: 'a' }, { key: 'b' }] })
  assert.deepEqual(normal.of(['b', 'a']), ['b', 'a'])
})

test('durations are labels in messages and ages in cells of tables, and nowhere else', () => {
  assert.deepEqual(normal.of({ message: 'failed after 1m3.5s', reason: '10s' }), {
    message: 'failed after <n>s',
    reason: '10s',
  })
  assert.deepEqual(normal.of({ cells: ['web', '5m30s', '1 (3s ago)', 2] }), {
    cells: ['web', '<age>', '1 (<age> ago)', 2],
  })
})

test('managed fields, and the values of masked ones, play no part', () => {
  const object = { managedFields: [], restartCount: 3, spec: { replicas: 1 } }
  assert.deepEqual(normal.of(object, ['restartCount']), { restartCount: '<any>', spec: { replicas: 1 } })
})
