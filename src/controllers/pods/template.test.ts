import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import { podFromTemplate, podNamePrefix, templateHash } from './template.js'

const template: PodTemplateSpec = {
  metadata: { labels: { app: 'web' }, annotations: { a: 'b' }, finalizers: ['x.io/y'], name: 'ignored' },
  spec: { containers: [{ name: 'main', image: 'i' }] },
}
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web', namespace: 'shop', uid: 'u' } }

test('a pod has what its template says, and an owner', () => {
  assert.deepEqual(podFromTemplate(template, owner), {
    metadata: {
      generateName: 'web-',
      namespace: 'shop',
      labels: { app: 'web' },
      annotations: { a: 'b' },
      finalizers: ['x.io/y'],
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'web',
          uid: 'u',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: { containers: [{ name: 'main', image: 'i' }] },
  })
})

test('a name that leaves no room for a dash has none', () => {
  assert.equal(podNamePrefix('x'.repeat(252)), `${'x'.repeat(252)}-`)
  assert.equal(podNamePrefix('x'.repeat(253)), 'x'.repeat(253))
})

test('a template has the same short name whatever the order of its keys', () => {
  const turned = { spec: { containers: [{ image: 'i', name: 'main' }] }, metadata: template.metadata! }
  assert.equal(templateHash(turned), templateHash(template))
  assert.match(templateHash(template), /^[bcdfghjklmnpqrstvwxz2456789]{8,10}$/)
})

test('another template, or a collision that was counted, has another one', () => {
  const other = { ...template, spec: { containers: [{ name: 'main', image: 'j' }] } }
  const names = [templateHash(template), templateHash(other), templateHash(template, 0), templateHash(template, 1)]
  assert.equal(new Set(names).size, names.length)
})
