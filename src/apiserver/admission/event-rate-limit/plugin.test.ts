import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../api/errors.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { openPluginHarness, rejectionOf } from '../admission.test.kit.js'
import type { EventLimit } from './configuration.js'
import { eventRateLimit } from './plugin.js'

function event(namespace: string, name = 'e', about = 'pod-1', apiVersion = 'v1'): object {
  const involvedObject = { kind: 'Pod', namespace, name: about }
  return { apiVersion, kind: 'Event', metadata: { name, namespace }, involvedObject, source: { component: 'kubelet' } }
}

async function limited(...limits: readonly EventLimit[]) {
  const clock = new VirtualClock()
  const harness = await openPluginHarness({ clock })
  const plugin = harness.create(eventRateLimit, {}, { apiVersion: '', kind: '', limits })
  const write = (object: object, more: object = {}) => harness.admit(plugin, { object, ...more })
  return { clock, write }
}

test('a namespace that writes too many events is told to wait, and others are not', async () => {
  const { clock, write } = await limited({ type: 'Namespace', qps: 1, burst: 2 })
  await write(event('noisy'))
  await write(event('noisy'), { old: event('noisy') })
  const refused = await write(event('noisy')).catch((error: unknown) => error)
  assert.ok(refused instanceof ApiError)
  assert.deepEqual(refused.status(), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Too many requests: limit reached on type Namespace for key noisy',
    reason: 'TooManyRequests',
    code: 429,
  })
  await write(event('quiet'))
  await clock.advance(1000)
  await write(event('noisy'))
  await rejectionOf(write(event('noisy')))
})

test('all limits count, and each that is reached is told', async () => {
  const { write } = await limited({ type: 'Server', qps: 1, burst: 1 }, { type: 'User', qps: 1, burst: 1 })
  await write(event('a'), { user: 'jane' })
  assert.equal(
    await rejectionOf(write(event('b'), { user: 'jane' })),
    'Too many requests: [limit reached on type Server for key , limit reached on type User for key jane]',
  )
  assert.equal(
    await rejectionOf(write(event('b'), { user: 'joe' })),
    'Too many requests: limit reached on type Server for key ',
  )
  assert.match(await rejectionOf(write(event('b'), { user: 'joe' })), /User for key joe/)
})

test('events about one object from one source are counted together, whatever their names', async () => {
  const { write } = await limited({ type: 'SourceAndObject', qps: 1, burst: 1 })
  await write(event('a', 'one'))
  assert.match(await rejectionOf(write(event('a', 'two'))), /SourceAndObject for key kubeletPodapod-1$/)
  await write(event('a', 'three', 'pod-2'))
})

test('who was not heard of for the longest is forgotten', async () => {
  const { write } = await limited({ type: 'Namespace', qps: 1, burst: 1, cacheSize: 2 })
  for (const namespace of ['a', 'b', 'c']) await write(event(namespace))
  await write(event('a'))
  await rejectionOf(write(event('c')))
})

test('other objects, dry runs and deletes are not counted', async () => {
  const { write } = await limited({ type: 'Server', qps: 1, burst: 1 })
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'a' } }
  for (let i = 0; i < 3; i++) await write(configMap)
  for (let i = 0; i < 3; i++) await write(event('a'), { dryRun: true })
  for (let i = 0; i < 3; i++) await write(event('a'), { operation: 'DELETE' })
  await write(event('a'))
  await rejectionOf(write(event('a')))
})

test('the plugin does not start without limits', async () => {
  const harness = await openPluginHarness()
  assert.throws(() => harness.create(eventRateLimit), /EventRateLimit has no limits/)
})
