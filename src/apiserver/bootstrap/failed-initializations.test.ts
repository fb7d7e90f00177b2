import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGates } from '../../api/feature-gates.js'
import type { KubeObject } from '../../api/kube-object.js'
import { builtin, schemeWith } from '../../api/scheme.js'
import { environment } from '../../base/environment.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { openObjectStore } from '../cache/cached-object-store.js'
import { ResourceMap } from '../registry/resource-map.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import { failedInitializations } from './failed-initializations.js'

const waiting = { pending: [{ name: 'a.x.y' }] }
const failed = { ...waiting, result: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' } }

test('a server that ended between a failure and its consequence leaves it to the next', async () => {
  const surroundings = environment()
  const memory = new MemoryStore({ environment: surroundings })
  const before = await openObjectStore(memory, surroundings)
  for (const [name, initializers] of Object.entries({ waiting, failed, complete: undefined }))
    await before.write([{ key: `/registry/configmaps/default/${name}`, expected: 0, object: map(name, initializers) }])
  await before.close()

  const store = await openObjectStore(memory, surroundings)
  const scheme = schemeWith(openGates({ Initializers: true }))
  const resources = new ResourceMap(scheme, store, {})
  const [chore] = failedInitializations(resources, { store, scheme } as VerbDependencies)
  await chore!.run()
  const { objects, allObjects: everything, prefix } = resources.find('', 'v1', 'configmaps')!
  const names = (kept: typeof everything) => kept.list(prefix).map(({ object }) => object.metadata.name)
  assert.deepEqual([names(objects), names(everything)], [['complete'], ['complete', 'waiting']])
  await store.close()
  await memory.close()
})

test('where objects never wait there is nothing to do', () => {
  const resources = new ResourceMap(builtin, { collection: () => undefined } as never, {})
  assert.deepEqual(failedInitializations(resources, { scheme: builtin } as VerbDependencies), [])
})

function map(name: string, initializers: object | undefined): KubeObject {
  const metadata = {
    name,
    namespace: 'default',
    finalizers: ['example.com/hold'],
    ...(initializers && { initializers }),
  }
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata } as KubeObject
}
