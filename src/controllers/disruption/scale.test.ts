import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { notFound } from '../../api/errors.js'
import { Client } from '../../client/client.js'
import type { Transport } from '../../client/transport.js'
import { scaleReplicas } from './scale.js'

const owner = { apiVersion: 'example.com/v1', kind: 'Farm', name: 'f', uid: 'u', controller: true }

/** A server with these paths. */
function serverOf(paths: Readonly<Record<string, unknown>>): Client {
  const transport = {
    async send({ path, responseType }: { readonly path: string; readonly responseType: string }) {
      const found = paths[path]
      if (found === undefined) throw notFound({ group: '', resource: 'things' }, 'f')
      const bytes = Buffer.from(JSON.stringify(found))
      const response =
        responseType === 'bytes' ? { is: responseType, bytes } : { is: responseType, object: { object: found } }
      return { response, warnings: [] }
    },
    close() {},
  }
  return new Client(transport as unknown as Transport)
}

const resources = [
  { name: 'farms', kind: 'Farm', namespaced: true },
  { name: 'farms/status', kind: 'Farm', namespaced: true },
  { name: 'farms/scale', kind: 'Scale', namespaced: true },
]
const scale = { metadata: { name: 'f', uid: 'u' }, spec: { replicas: 5 } }
const root = '/apis/example.com/v1'
const path = `${root}/namespaces/shop/farms/f/scale`

describe('the replicas of an owner of pods', () => {
  test('are those of its scale', async () => {
    assert.equal(await scaleReplicas(serverOf({ [root]: { resources }, [path]: scale }), owner, 'shop'), 5)
  })

  test('are 0 if the scale has none', async () => {
    const none = { ...scale, spec: {} }
    assert.equal(await scaleReplicas(serverOf({ [root]: { resources }, [path]: none }), owner, 'shop'), 0)
  })

  test('are unknown if it is gone, or another object has its name', async () => {
    assert.equal(await scaleReplicas(serverOf({ [root]: { resources } }), owner, 'shop'), undefined)
    const another = { ...scale, metadata: { name: 'f', uid: 'other' } }
    assert.equal(await scaleReplicas(serverOf({ [root]: { resources }, [path]: another }), owner, 'shop'), undefined)
  })

  test('cannot be read for a kind without scale, or an unknown kind', async () => {
    const unsized = serverOf({ [root]: { resources: resources.slice(0, 2) } })
    const message = 'farms.example.com does not implement the scale subresource'
    await assert.rejects(scaleReplicas(unsized, owner, 'shop'), { message })
    const unknown = 'no matches for kind "Farm" in version "example.com/v1"'
    await assert.rejects(scaleReplicas(serverOf({}), owner, 'shop'), { message: unknown })
  })
})
