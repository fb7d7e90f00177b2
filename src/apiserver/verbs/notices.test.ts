import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MemoryServer, openMemoryServer, type Reply } from '../registry/server.test.kit.js'

const notice = 'nobody acts on it'
const warning = `299 - "${notice}"`
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const lease = (name: string) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name },
  spec: { holderIdentity: 'me' },
})

/** The values of the `Warning` header. */
const warnings = ({ headers }: Reply) => headers.filter((_, index) => headers[index - 1]?.toLowerCase() === 'warning')

describe('A notice about a resource', () => {
  let server: MemoryServer
  before(async () => {
    server = await openMemoryServer(undefined, { notices: { 'leases.coordination.k8s.io': notice, pods: 'of pods' } })
  })
  after(() => server.close())

  test('is a warning for clients that create an object', async () => {
    assert.deepEqual(warnings(await server.send('POST', leases, lease('posted'))), [warning])
    assert.deepEqual(warnings(await server.send('PUT', `${leases}/put`, lease('put'))), [warning])
    assert.deepEqual(warnings(await server.send('POST', `${leases}?dryRun=All`, lease('tried'))), [warning])
    const applied = await server.send('PATCH', `${leases}/applied?fieldManager=me`, lease('applied'), {
      'content-type': 'application/apply-patch+yaml',
    })
    assert.equal(applied.code, 201)
    assert.deepEqual(warnings(applied), [warning])
  })

  test('is not sent to clients that change, read or fail to create one', async () => {
    await server.send('POST', leases, lease('there'))
    assert.deepEqual(warnings(await server.send('PATCH', `${leases}/there`, { spec: { leaseDurationSeconds: 1 } })), [])
    assert.deepEqual(warnings(await server.send('GET', `${leases}/there`)), [])
    assert.deepEqual(warnings(await server.send('POST', leases, lease('there'))), [], 'a name that is taken')
    assert.deepEqual(warnings(await server.send('POST', leases, lease('Bad Name'))), [])
  })

  test('concerns that resource only', async () => {
    const budget = { metadata: { name: 'other' }, spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }
    const reply = await server.send('POST', budgets, budget)
    assert.equal(reply.code, 201)
    assert.deepEqual(warnings(reply), [])
  })
})
