import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const kind = new KindHarness('apiextensions/v1.CustomResourceDefinition')
const version = (name: string, storage: boolean) => ({ name, served: true, storage })
const spec = {
  group: 'example.com',
  scope: 'Namespaced',
  names: { plural: 'widgets', kind: 'Widget' },
  versions: [version('v1', true), version('v2', false)],
}
const definition = kind.create({
  metadata: { creationTimestamp: '2024-01-01T00:00:00Z' },
  spec,
  status: { conditions: [], acceptedNames: { plural: 'x', kind: 'X' }, storedVersions: ['v9'] },
})

describe('custom resource definitions', () => {
  it('are completed with a singular, a list, and no conversion', () => {
    const read = definition.object.spec as { names: object; conversion: object }
    assert.deepEqual(read.names, { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' })
    assert.deepEqual(read.conversion, { strategy: 'None' })
  })

  it('begin with the version in which objects are stored, and nothing else accepted', () => {
    assert.deepEqual(definition.object.status, {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    })
  })

  it('remember every version in which objects were stored', () => {
    const moved = kind.update(definition, { spec: { versions: [version('v1', false), version('v2', true)] } })
    assert.deepEqual((moved.object.status as { storedVersions: unknown }).storedVersions, ['v1', 'v2'])
    assert.equal((moved.object.metadata as { generation: number }).generation, 2)
    const back = kind.update(moved, { spec: { versions: [version('v1', true)] } })
    assert.deepEqual((back.object.status as { storedVersions: unknown }).storedVersions, ['v1', 'v2'])
  })

  it('keep their spec and labels when their status is written', () => {
    const written = kind.update(definition, { spec: { group: 'other' }, metadata: { labels: { a: 'b' } } }, 'status')
    assert.deepEqual(written.object.spec, definition.object.spec)
    assert.equal((written.object.metadata as { labels?: object }).labels, undefined)
  })

  it('show their age', () => {
    assert.equal(kind.row(definition)['Created At'], '2024-01-01T00:00:00Z')
  })
})
