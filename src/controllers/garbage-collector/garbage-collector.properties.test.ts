import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import type { ClientResponse, Transport } from '../../client/transport.js'
import { killAfterWrites } from '../../testing/faults/write-faults.js'
import { ControllerHarness } from '../harness.test.kit.js'

const controllers = ['garbage-collector-controller']
const policies = ['Background', 'Foreground', 'Orphan'] as const

type Policy = (typeof policies)[number]

interface Reference {
  /** The number of an object; one that there is not stands for an owner that never was. */
  readonly owner: number
  readonly blocks: boolean
}

interface Deletion {
  readonly object: number
  readonly policy: Policy
  /** Each of these collectors is killed after so many writes, and another takes over. */
  readonly crashes: readonly number[]
}

/** What must be left, told as simply as possible: no order, no finalizers, no waiting. */
class Model {
  readonly #owners = new Map<number, Set<number>>()

  constructor(graph: readonly (readonly Reference[])[]) {
    for (const [object, references] of graph.entries())
      this.#owners.set(object, new Set(references.map(({ owner }) => owner)))
    this.#collect()
  }

  delete({ object, policy }: Deletion): void {
    if (policy === 'Orphan') for (const owners of this.#owners.values()) owners.delete(object)
    this.#owners.delete(object)
    this.#collect()
  }

  /** What has owners lives as long as one of them does, and names only those that live. */
  #collect(): void {
    for (let isDone = false; !isDone; ) {
      isDone = true
      for (const [object, owners] of this.#owners) {
        const gone = [...owners].filter((owner) => !this.#owners.has(owner))
        if (gone.length === 0) continue
        isDone = false
        if (gone.length === owners.size) this.#owners.delete(object)
        else for (const owner of gone) owners.delete(owner)
      }
    }
  }

  has(object: number): boolean {
    return this.#owners.has(object)
  }

  left(): readonly string[] {
    return [...this.#owners].map(([object, owners]) => `${object} of ${[...owners].sort()}`)
  }
}

/** Any graph, circles and objects that own themselves included. */
const graphs = fc.integer({ min: 1, max: 7 }).chain((size) => {
  const reference = fc.record({ owner: fc.nat({ max: size }), blocks: fc.boolean() })
  const references = fc.uniqueArray(reference, { selector: ({ owner }) => owner, maxLength: 3 })
  return fc.array(fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 3, arbitrary: references }), {
    minLength: size,
    maxLength: size,
  })
})

const deletions = fc.array(
  fc.record<Deletion>({
    object: fc.nat({ max: 6 }),
    policy: fc.constantFrom(...policies),
    crashes: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
)

let harness: ControllerHarness
before(async () => {
  harness = await ControllerHarness.begin()
})
after(() => harness[Symbol.asyncDispose]())

test('whatever owns whatever, and whenever the collector is killed: what is left is what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, deletions, async (graph, steps) => {
      await clear()
      const uids = await make(graph)
      const model = new Model(graph)
      await collect([])
      assert.deepEqual(await left(uids), model.left())
      for (const step of steps) {
        if (!model.has(step.object)) continue
        const propagationPolicy = step.policy
        await objects().delete(`o${step.object}`, { propagationPolicy })
        model.delete(step)
        await collect(step.crashes)
        assert.deepEqual(await left(uids), model.left(), `after ${step.policy} of ${step.object}`)
      }
    }),
    { numRuns: 60 },
  )
})

test('several deletions at the same time come to the same end, in whatever order they are seen', async () => {
  const several = fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(graphs, several, fc.array(fc.boolean()), async (graph, chosen, foreground) => {
      await clear()
      const uids = await make(graph)
      const model = new Model(graph)
      await collect([])
      for (const [i, object] of chosen.filter((each) => model.has(each)).entries()) {
        await objects().delete(`o${object}`, { propagationPolicy: foreground[i] ? 'Foreground' : 'Background' })
      }
      for (const object of chosen) if (model.has(object)) model.delete({ object, policy: 'Background', crashes: [] })
      await collect([])
      assert.deepEqual(await left(uids), model.left())
    }),
    { numRuns: 40 },
  )
})

function objects() {
  return harness.client.resource(ConfigMap).in('default')
}

async function clear(): Promise<void> {
  for (const { metadata } of (await objects().list()).items)
    await objects().patch(metadata.name!, 'merge', { metadata: { finalizers: null } })
  await objects().deleteCollection({}, { propagationPolicy: 'Background' })
  assert.deepEqual((await objects().list()).items, [])
}

/** Gives their uids. */
async function make(graph: readonly (readonly Reference[])[]): Promise<readonly string[]> {
  const made = await Promise.all(graph.map((_, i) => objects().create({ metadata: { name: `o${i}` } })))
  const uids = made.map(({ metadata }) => metadata.uid!)
  for (const [i, references] of graph.entries()) {
    const ownerReferences = references.map(({ owner, blocks: blockOwnerDeletion }) => {
      const name = `o${owner}`
      return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: uids[owner] ?? 'ghost', blockOwnerDeletion }
    })
    await objects().patch(`o${i}`, 'merge', { metadata: { ownerReferences } })
  }
  return uids
}

/** Runs collectors that are killed one after the other, then one that is not. */
async function collect(crashes: readonly number[]): Promise<void> {
  for (const writes of [...crashes, Number.POSITIVE_INFINITY]) {
    const dying = killAfterWrites(writes)
    harness.start({ controllers, transport: (inner) => discoveringOnlyConfigMaps(dying(inner)) })
    await harness.clock.settle()
    await harness.stop()
  }
}

/** As only they are of interest: sixty informers less to start, a thousand times. */
function discoveringOnlyConfigMaps(inner: Transport): Transport {
  return {
    ...inner,
    async send(request) {
      const { response: answer, warnings } = await inner.send(request)
      return { response: request.path.startsWith('/api/v1') ? answer : onlyConfigMaps(answer), warnings }
    },
  }
}

function onlyConfigMaps(answer: ClientResponse): ClientResponse {
  if (answer.is !== 'bytes') return answer
  const found = JSON.parse(Buffer.from(answer.bytes).toString())
  for (const { versions } of found.items)
    for (const version of versions)
      version.resources = version.resources.filter(({ resource }: { resource: string }) => resource === 'configmaps')
  return { ...answer, bytes: Buffer.from(JSON.stringify(found)) }
}

async function left(uids: readonly string[]): Promise<readonly string[]> {
  const { items } = await objects().list()
  return items.map(({ metadata: { uid = '', ownerReferences = [] } }) => {
    const owners = ownerReferences.map((owner) => uids.indexOf(owner.uid))
    return `${uids.indexOf(uid)} of ${owners.sort()}`
  })
}
