import { strictEqual as equal } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Gate, startGate } from '../authorization/authorization.test.kit.js'

const leases = '/apis/coordination.k8s.io/v1/namespaces/here/leases'

describe('An update of an object that does not exist', () => {
  let gate: Gate
  const put = (name: string, metadata: object = {}) =>
    gate.ask('PUT', `${leases}/${name}`, { metadata: { name, ...metadata } })

  before(async () => {
    gate = await startGate()
    await gate.ask('POST', '/api/v1/namespaces', { metadata: { name: 'here' } })
  })
  after(() => gate.close())

  it('does not bring back the one that it means', async () => {
    const { metadata } = (await put('gone')).body as unknown as { metadata: { uid: string; resourceVersion: string } }
    const { uid, resourceVersion } = metadata
    await gate.ask('DELETE', `${leases}/gone`)
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: `
    const told = `StorageError: invalid object, Code: 4, Key: /registry/leases/here/gone, ResourceVersion: 0, AdditionalErrorMsg: ${why}`
    for (const seen of [{ uid }, { uid, resourceVersion }]) {
      const { status, message } = await put('gone', seen)
      equal(status, 409)
      equal(message, `Operation cannot be fulfilled on leases.coordination.k8s.io "gone": ${told}`)
    }
    equal((await gate.ask('GET', `${leases}/gone`)).status, 404)
  })

  it('makes it where its kind allows that, whatever version the client has seen', async () => {
    equal((await put('new', { resourceVersion: '1' })).status, 201)
  })
})
