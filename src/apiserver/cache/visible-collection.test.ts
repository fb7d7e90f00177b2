import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { KubeObject, UntypedObject } from '../../api/kube-object.js'
import { environment } from '../../base/environment.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import type { CachedObject } from './cached-object.js'
import { openObjectStore } from './cached-object-store.js'
import type { CollectionEvent, ObjectCollection } from './object-store.js'
import { VisibleCollection } from './visible-collection.js'

const prefix = '/registry/things/'
const visibility = {
  isVisible: (object: KubeObject) => (object as UntypedObject).veiled === undefined,
  marker: '"veiled"',
}

async function world() {
  const surroundings = environment()
  const memory = new MemoryStore({ environment: surroundings })
  const store = await openObjectStore(memory, surroundings, { freeze: true, recentEvents: 3 })
  const all = store.collection(prefix)
  const seen = new VisibleCollection(all, prefix, visibility)
  async function write(name: string, object: object | undefined): Promise<CachedObject> {
    const key = prefix + name
    const whole =
      object && ({ kind: 'Thing', apiVersion: 'v1', metadata: { name }, ...object } as unknown as KubeObject)
    const written = await store.write([{ key, expected: all.get(key)?.revision ?? 0, object: whole }])
    return written![0]!
  }
  return {
    store,
    all,
    seen,
    put: (name: string, object: object = {}) => write(name, object),
    veil: (name: string) => write(name, { veiled: true }),
    remove: (name: string) => write(name, undefined),
    async [Symbol.asyncDispose]() {
      await store.close()
      await memory.close()
    },
  }
}

function names(objects: readonly CachedObject[]): string {
  return objects.map(({ key }) => key.slice(prefix.length)).join(' ')
}

function described(event: CollectionEvent): string {
  if (event.type === 'progress') return 'progress'
  const name = event.object.key.slice(prefix.length)
  if (event.type === 'delete') return `gone ${name}`
  return `${event.previous ? 'changed' : 'new'} ${name}`
}

/** What a watch from `revision` on tells until something is put at the end of all. */
async function told(collection: ObjectCollection, revision: number): Promise<readonly string[]> {
  const events: string[] = []
  for await (const batch of collection.watch({ prefix, revision, signal: new AbortController().signal }))
    for (const event of batch) {
      if (described(event) === 'new end') return events
      events.push(described(event))
    }
  return events
}

describe('a collection with hidden objects', () => {
  test('shares objects, lists and batches with the whole collection while nothing is hidden', async () => {
    await using it = await world()
    const cached = await it.put('a')
    assert.equal(it.seen.get(cached.key), it.all.get(cached.key))
    const batches = [it.all, it.seen].map(async (collection) => {
      for await (const batch of collection.watch({
        prefix,
        revision: cached.revision,
        signal: new AbortController().signal,
      }))
        return batch
      return undefined
    })
    await new Promise(setImmediate)
    await it.put('b')
    const [whole, visible] = await Promise.all(batches)
    assert.equal(visible, whole)
  })

  test('shows an object when it becomes visible, with one event for all watchers', async () => {
    await using it = await world()
    const start = it.store.revision
    const signal = new AbortController().signal
    const first = [1, 2].map(async () => {
      for await (const batch of it.seen.watch({ prefix, revision: start, signal })) return batch
      return []
    })
    const { key } = await it.veil('a')
    assert.equal(it.seen.get(key), undefined)
    assert.equal(it.all.get(key)?.key, key)
    assert.deepEqual([names(it.seen.list(prefix)), it.seen.count(prefix)], ['', 0])
    await it.put('a')
    assert.deepEqual([names(it.seen.list(prefix)), it.seen.count(prefix)], ['a', 1])
    const [one, other] = await Promise.all(first)
    assert.equal(one, other)
    assert.deepEqual(one!.map(described), ['new a'])
  })

  test('never reports an object that is deleted while hidden', async () => {
    await using it = await world()
    const start = it.store.revision
    await it.veil('a')
    await it.remove('a')
    await it.put('b')
    await it.put('end')
    assert.deepEqual(await told(it.seen, start), ['new b'])
  })

  test('reports the same changes to followers', async () => {
    await using it = await world()
    const followed: string[] = []
    const stop = it.seen.follow({ changed: (event) => followed.push(described(event)), reset: () => assert.fail() })
    await it.veil('a')
    await it.put('a')
    await it.put('a', { x: 1 })
    await it.veil('b')
    await it.remove('b')
    await it.remove('a')
    stop()
    await it.put('c')
    assert.deepEqual(followed, ['new a', 'changed a', 'gone a'])
  })

  test('has pages without gaps, of the current and of an older revision', async () => {
    await using it = await world()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await it.put(name)
    await it.veil('f')
    await it.veil('b2')
    const { revision } = await it.veil('a2')
    assert.equal(names(it.seen.list(prefix, undefined, 2)), 'a b')
    assert.equal(names(it.seen.list(prefix, `${prefix}b`, 2)), 'c d')
    assert.equal(it.seen.count(prefix, `${prefix}b`), 3)
    await it.put('a2')
    await it.remove('c')
    const page = await it.seen.listAt({ prefix, revision, limit: 3 })
    assert.equal(names(page.objects), 'a b c')
    const rest = await it.seen.listAt({ prefix, revision, limit: 3, after: `${prefix}c` })
    assert.deepEqual([names(rest.objects), rest.remaining], ['d e', 0])
  })

  test('finds objects that were hidden before it was created', async () => {
    await using it = await world()
    await it.put('a', { data: '"veiled"' })
    await it.veil('b')
    const later = new VisibleCollection(it.all, prefix, visibility)
    assert.deepEqual([...later.hidden], [`${prefix}b`])
    assert.equal(names(later.list(prefix)), 'a')
  })

  test('reports the difference between two lists from any revision, after random changes', async () => {
    const step = fc.record({ name: fc.constantFrom('a', 'b', 'c'), does: fc.constantFrom('put', 'veil', 'remove') })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await using it = await world()
        const start = it.store.revision
        const seen = new Set<string>()
        for (const { name, does } of steps) {
          const exists = it.all.get(prefix + name) !== undefined
          if (does === 'remove' && !exists) continue
          await it[does as 'put' | 'veil' | 'remove'](name)
        }
        const visible = names(it.seen.list(prefix))
        await it.put('end')
        for (const event of await told(it.seen, start)) {
          const [what, name = ''] = event.split(' ')
          assert.equal(what === 'new', !seen.has(name), event)
          if (what === 'gone') seen.delete(name)
          else seen.add(name)
        }
        assert.equal([...seen].sort().join(' '), visible)
      }),
      { numRuns: 60 },
    )
  })
})
