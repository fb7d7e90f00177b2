import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type MemoryServer, openMemoryServer, testPod } from '../../registry/server.test.kit.js'
import type { LimitedResource } from './configuration.js'

const limitedResources: readonly LimitedResource[] = [
  { resource: 'persistentvolumeclaims', matchContains: ['.storageclass.storage.k8s.io/requests.storage'] },
  { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high', 'urgent'] }] },
]

suite('what may only be used under a quota', () => {
  let server: MemoryServer
  const path = '/api/v1/namespaces/default'
  before(async () => {
    const configurations = { ResourceQuota: { apiVersion: '', kind: '', limitedResources } }
    server = await openMemoryServer(undefined, {
      admission: { enabled: [], disabled: ['ServiceAccount'], configurations },
    })
    await server.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 10 })
  })
  after(() => server.close())

  async function quota(name: string, hard: Record<string, string>, spec: object = {}): Promise<void> {
    await server.send('POST', `${path}/resourcequotas`, { metadata: { name }, spec: { hard, ...spec } })
    const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']))
    await server.send('PATCH', `${path}/resourcequotas/${name}/status`, { status: { hard, used } })
  }

  test('is rejected where no quota names it', async () => {
    const claim = (name: string, storageClassName?: string) => ({
      metadata: { name },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        ...(storageClassName && { storageClassName }),
      },
    })
    const refused = await server.send('POST', `${path}/persistentvolumeclaims`, claim('gold', 'gold'))
    assert.equal(
      refused.body.message,
      'persistentvolumeclaims "gold" is forbidden: insufficient quota to consume: gold.storageclass.storage.k8s.io/requests.storage',
    )
    assert.equal((await server.send('POST', `${path}/persistentvolumeclaims`, claim('plain'))).code, 201)
    await quota('gold', { 'gold.storageclass.storage.k8s.io/requests.storage': '10Gi' })
    assert.equal((await server.send('POST', `${path}/persistentvolumeclaims`, claim('gold', 'gold'))).code, 201)
  })

  test('is rejected where no quota has the scope', async () => {
    const high = (name: string) => testPod(name, { priorityClassName: 'high' })
    const refused = await server.send('POST', `${path}/pods`, high('a'))
    assert.equal(refused.body.message, 'insufficient quota to match these scopes: [{PriorityClass In [high urgent]}]')
    assert.equal((await server.send('POST', `${path}/pods`, testPod('low'))).code, 201)
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }]
    await quota('high', { pods: '1' }, { scopeSelector: { matchExpressions } })
    assert.equal((await server.send('POST', `${path}/pods`, high('a'))).code, 201)
    assert.match(String((await server.send('POST', `${path}/pods`, high('b'))).body.message), /exceeded quota: high/)
  })
})
