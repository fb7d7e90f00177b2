import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../../api/core/v1/pod.js'
import { environment } from '../../../base/environment.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { openPluginHarness, pod } from '../admission.test.kit.js'
import { initialResources, initialResourcesFrom } from './plugin.js'
import type { Sample } from './sample.js'
import { SampleStore } from './sample-store.js'
import type { UsageHistory } from './usage-history.js'

const clock = new VirtualClock()
const day = 24 * 3_600_000
const mebibyte = 2 ** 20

/** Samples from so many days ago, with 1 to `count` thousandths of a processor and as many MiB. */
function samples(count: number, { days = 1, ...parts }: Partial<Sample> & { readonly days?: number } = {}): Sample[] {
  const time = clock.now() - days * day
  return Array.from({ length: count }, (_, i) => ({
    time,
    namespace: 'here',
    image: 'app:1',
    cpu: i + 1,
    memory: (i + 1) * mebibyte,
    ...parts,
  }))
}

interface Given {
  readonly history: readonly Sample[]
  readonly containers?: readonly object[]
  readonly initContainers?: readonly object[]
  readonly namespaceOnly?: boolean
}

async function made({ history, containers, initContainers, namespaceOnly = false }: Given): Promise<Pod> {
  const store = new SampleStore()
  for (const sample of history) store.add(sample)
  const harness = await openPluginHarness({ clock })
  const plugin = initialResourcesFrom(store, { percentile: 90, namespaceOnly, environment: harness.environment })
  const spec = { ...(containers && { containers }), ...(initContainers && { initContainers }) }
  return (await harness.admit(plugin, { object: pod('a', spec) })).object as unknown as Pod
}

const requestsOf = ({ spec }: Pod) => spec.containers[0]!.resources?.requests
const annotationOf = ({ metadata }: Pod) => metadata.annotations?.['kubernetes.io/initial-resources']

test('containers that do not say what they need request what nine of ten have used', async () => {
  const object = await made({
    history: samples(100),
    containers: [
      { name: 'silent', image: 'app:1' },
      { name: 'limited', image: 'app:1', resources: { limits: { memory: '1Gi' } } },
      { name: 'clear', image: 'app:1', resources: { requests: { cpu: '1', memory: '1Gi' } } },
    ],
    initContainers: [{ name: 'first', image: 'app:1' }],
  })
  const [silent, limited, clear] = object.spec.containers
  assert.deepEqual(silent?.resources, { requests: { cpu: '90m', memory: String(90 * mebibyte) } })
  assert.deepEqual(limited?.resources, { limits: { memory: '1Gi' }, requests: { cpu: '90m' } })
  assert.deepEqual(clear?.resources, { requests: { cpu: '1', memory: '1Gi' } })
  assert.equal(
    annotationOf(object),
    'Initial Resources plugin set: cpu, memory request for init container first; cpu, memory request for container silent; cpu request for container limited',
  )
})

test('what is nearer counts before what is further away, if there is enough of it', async () => {
  const far = samples(100, { namespace: 'there', cpu: 500 })
  assert.equal(requestsOf(await made({ history: [...samples(30, { cpu: 5 }), ...far] }))?.cpu, '5m')
  assert.equal(requestsOf(await made({ history: [...samples(29, { cpu: 5 }), ...far] }))?.cpu, '500m')
  const lastMonth = [...samples(29, { cpu: 5 }), ...samples(300, { cpu: 50, days: 20 }), ...far]
  assert.equal(requestsOf(await made({ history: lastMonth }))?.cpu, '50m')
})

test('other versions of an image count where nothing is known of this one, and other images never', async () => {
  assert.equal(requestsOf(await made({ history: samples(3, { image: 'app:2', cpu: 7 }) }))?.cpu, '7m')
  const other = samples(100, { image: 'app-two:1' })
  const object = await made({ history: other })
  assert.equal(requestsOf(object), undefined)
  assert.equal(annotationOf(object), undefined)
})

test('a port is not taken for a tag', async () => {
  const image = 'registry.example:5000/app:1'
  const containers = [{ name: 'main', image: 'registry.example:5000/app:2' }]
  assert.equal(requestsOf(await made({ history: samples(40, { image, cpu: 7 }), containers }))?.cpu, '7m')
  const stranger = samples(40, { image: 'registry.example:5000/other:1', cpu: 7 })
  assert.equal(requestsOf(await made({ history: stranger, containers })), undefined)
})

test('other namespaces do not count where they shall not', async () => {
  const history = samples(100, { namespace: 'there' })
  assert.equal(requestsOf(await made({ history, namespaceOnly: true })), undefined)
  const here = samples(2, { image: 'app:2', cpu: 3, days: 20 })
  assert.equal(requestsOf(await made({ history: [...history, ...here], namespaceOnly: true }))?.cpu, '3m')
})

test('what is older than a month counts for nothing', async () => {
  assert.equal(requestsOf(await made({ history: samples(100, { days: 31 }) })), undefined)
})

test('a history that fails keeps no pod from being made, and is told', async () => {
  const told: string[] = []
  const log = { ...environment().log, error: (message: string) => void told.push(message) }
  const harness = await openPluginHarness({ clock, log })
  const history: UsageHistory = { usage: () => Promise.reject(new Error('gone')) }
  const parts = { percentile: 90, namespaceOnly: false, environment: harness.environment }
  const { object } = await harness.admit(initialResourcesFrom(history, parts), { object: pod('a') })
  assert.equal(requestsOf(object as unknown as Pod), undefined)
  assert.deepEqual(told, ['resource estimate failed'])
})

test('the plugin does not start without a history', async () => {
  const harness = await openPluginHarness()
  assert.throws(() => harness.create(initialResources), /InitialResources has no history/)
})
