import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { notFound } from '../../api/errors.js'
import { Client } from '../../client/client.js'
import type { Transport } from '../../client/transport.js'
import { scaleOf } from './scale.js'

const owner = { apiVersion: 'example.com/v1', kind: 'Farm', name: 'f', uid: 'u', controller: true }

/** A server with these paths. */
function serverOf(paths: Readonly<Record<string, unknown>>): Client {
  const transport = {
    async send({ path, wanted }: { readonly path: string; readonly wanted: string }) {
      const found = paths[path]
      if (found === undefined) throw notFound({ group: '', resource: 'things' }, 'f')
      const bytes = Buffer.from(JSON.stringify(found))
      const answer = wanted === 'bytes' ? { is: wanted, bytes } : { is: wanted, object: { object: found } }
      return { answer, warnings: [] }
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

describe('the size of what makes pods', () => {
  test('is what its scale says', async () => {
    assert.equal(await scaleOf(serverOf({ [root]: { resources }, [path]: scale }), owner, 'shop'), 5)
  })

  test('is nothing if nothing was asked for', async () => {
    const none = { ...scale, spec: {} }
    assert.equal(await scaleOf(serverOf({ [root]: { resources }, [path]: none }), owner, 'shop'), 0)
  })

  test('is not known when it has gone, or another one has its name', async () => {
    assert.equal(await scaleOf(serverOf({ [root]: { resources } }), owner, 'shop'), undefined)
    const another = { ...scale, metadata: { name: 'f', uid: 'other' } }
    assert.equal(await scaleOf(serverOf({ [root]: { resources }, [path]: another }), owner, 'shop'), undefined)
  })

  test('cannot be told of a kind without sizes, or of one that nobody knows', async () => {
    const unsized = serverOf({ [root]: { resources: resources.slice(0, 2) } })
    const message = 'farms.example.com does not implement the scale subresource'
    await assert.rejects(scaleOf(unsized, owner, 'shop'), { message })
    const unknown = 'no matches for kind "Farm" in version "example.com/v1"'
    await assert.rejects(scaleOf(serverOf({}), owner, 'shop'), { message: unknown })
  })
})
