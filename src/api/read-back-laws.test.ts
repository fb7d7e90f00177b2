/** Writing an object back unchanged changes nothing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ServedKind } from '../schema/scheme.js'
import { KindHarness } from '../testing/objects/kind-harness.js'
import { responseObjects } from '../testing/objects/recorded-objects.js'
import type { CustomResourceDefinition } from './apiextensions/v1/custom-resource-definition.js'
import type { KubeObject } from './kube-object.js'

describe('an object read from the server', () => {
  for (const [type, objects] of responseObjects()) {
    if (!type.kind.resource.verbs.includes('update')) continue
    const kind = new KindHarness(type.name)
    for (const view of viewsOf(type))
      test(`of ${type.name} stays as it is when it is written back${view && ` as its ${view}`}`, () => {
        for (const object of objects) {
          const read = kind.decode(object)
          if (forgetsStorage(read)) continue
          const { object: again, errors } = kind.update(read, () => undefined, view)
          assert.deepEqual(errors, [], JSON.stringify(object))
          assert.deepEqual(withoutVersion(again), withoutVersion(read))
        }
      })
  }
})

function viewsOf({ kind }: ServedKind): readonly string[] {
  return kind.resource.subresources.status ? ['', 'status'] : ['']
}

function withoutVersion({ metadata: { resourceVersion: _, ...metadata }, ...rest }: KubeObject): object {
  return { ...rest, metadata }
}

/** A status write can remove the storage version of a definition from its stored versions; the next write restores it. */
function forgetsStorage(object: KubeObject): boolean {
  if (object.kind !== 'CustomResourceDefinition') return false
  const { spec, status } = object as unknown as CustomResourceDefinition
  return spec.versions.some(({ name, storage }) => storage && !status.storedVersions?.includes(name))
}
