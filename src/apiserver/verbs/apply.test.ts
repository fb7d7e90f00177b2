import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { binding, type Gate, role, rule, startGate } from '../authorization/authorization.test.kit.js'

const secrets = '/api/v1/namespaces/here/secrets'
const nameless = 'the name of the object (mine based on URL) was undeterminable: name must be provided'

describe('An apply', () => {
  let gate: Gate
  const applied = async (path: string, metadata: object | undefined, as: readonly string[] = []) => {
    const headers = ['content-type', 'application/apply-patch+yaml', ...as]
    const body = { apiVersion: 'v1', kind: 'Secret', ...(metadata && { metadata }) }
    return gate.ask('PATCH', `${secrets}/${path}?fieldManager=test`, body, headers)
  }
  const names = async () => {
    const { items } = (await gate.ask('GET', secrets)).body as unknown as { items: { metadata: { name: string } }[] }
    return items.map(({ metadata }) => metadata.name)
  }

  before(async () => {
    gate = await startGate()
    await gate.ask('POST', '/api/v1/namespaces', { metadata: { name: 'here' } })
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/here'
    await gate.ask('POST', `${roles}/roles`, role('one', rule('create patch', 'secrets', '', ['mine'])))
    await gate.ask('POST', `${roles}/rolebindings`, binding('one', 'Role one', 'User alice'))
  })
  after(() => gate.close())

  it('makes nothing under another name than that of its path, nor under a generated one', async () => {
    const asAlice = ['impersonate-user', 'alice']
    for (const metadata of [{ generateName: 'theirs-' }, { name: '', generateName: 'theirs-' }, {}, undefined]) {
      const { status, message } = await applied('mine', metadata, asAlice)
      deepEqual([status, message], [400, nameless])
    }
    const { status, message } = await applied('mine', { name: 'theirs' }, asAlice)
    deepEqual([status, message], [400, 'the name of the object (theirs) does not match the name on the URL (mine)'])
    deepEqual(await names(), [])
  })

  it('needs no name where the object is there', async () => {
    equal((await applied('mine', { name: 'mine', generateName: 'theirs-' })).status, 201)
    equal((await applied('mine', { labels: { a: 'b' } })).status, 200)
    equal((await applied('mine', { name: 'theirs' })).status, 400)
    deepEqual(await names(), ['mine'])
  })

  it('does not bring back an object that is gone', async () => {
    const { status, message } = await applied('mine-once', { name: 'mine-once', uid: 'u1' })
    const why = 'uid mismatch: the provided object specified uid u1, and no existing object was found'
    deepEqual([status, message], [409, `Operation cannot be fulfilled on secrets "mine-once": ${why}`])
    equal((await applied('anew', { name: 'anew', resourceVersion: '7' })).status, 201)
  })
})
