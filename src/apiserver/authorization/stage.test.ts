import { deepStrictEqual as deepEqual, strictEqual as equal, match } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { binding, type Gate, question, role, rule, startGate, user } from './authorization.test.kit.js'
import type { AuthorizationResult, Authorizer } from './authorizer.js'
import { alwaysAllowAuthorizer, alwaysDenyAuthorizer } from './fixed-authorizers.js'
import { runAuthorizers } from './stage.js'

const asked = question(user('jane'), 'get', 'pods')
const says = (decision: AuthorizationResult): Authorizer => ({ name: 'one', authorize: () => decision })
const fails: Authorizer = { name: 'broken', authorize: () => Promise.reject(new Error('out of order')) }

describe('Authorizers', () => {
  it('decide by the first opinion', async () => {
    const denies = says({ decision: 'deny', reason: 'never' })
    deepEqual(runAuthorizers([denies, alwaysAllowAuthorizer], asked), { decision: 'deny', reason: 'never' })
    deepEqual(runAuthorizers([alwaysDenyAuthorizer, alwaysAllowAuthorizer], asked), { decision: 'allow', reason: '' })
    equal((await runAuthorizers([fails, alwaysAllowAuthorizer], asked)).decision, 'allow')
  })

  it('allow nothing without an opinion, and tell every reason and error', async () => {
    const [one, two] = ['a', 'b'].map((reason) => says({ decision: 'no-opinion', reason }))
    deepEqual(runAuthorizers([one!, two!], asked), { decision: 'no-opinion', reason: 'a\nb' })
    deepEqual(runAuthorizers([], asked), { decision: 'no-opinion', reason: '' })
    deepEqual(await runAuthorizers([one!, fails], asked), {
      decision: 'no-opinion',
      reason: 'a',
      error: 'out of order',
    })
  })
})

describe('A request', () => {
  let gate: Gate
  before(async () => {
    gate = await startGate()
    const here = '/apis/rbac.authorization.k8s.io/v1/namespaces/here'
    await gate.ask('POST', '/api/v1/namespaces', { metadata: { name: 'here' } })
    const rules = [rule('get', 'pods/exec pods/attach pods/portforward'), rule('update patch', 'configmaps')]
    await gate.ask('POST', `${here}/roles`, role('looker', ...rules))
    await gate.ask('POST', `${here}/rolebindings`, binding('looker', 'Role looker', 'User jane'))
    await gate.ask('POST', `${here}/roles`, role('doer', rule('get create', 'pods/exec'), rule('create', 'configmaps')))
    await gate.ask('POST', `${here}/rolebindings`, binding('doer', 'Role doer', 'User john'))
    await gate.ask('POST', `${here}/rolebindings`, binding('john', 'Role looker', 'User john'))
  })
  after(() => gate.close())
  const inside = '/api/v1/namespaces/here'

  it('to get into a container needs create, by whatever method', async () => {
    for (const process of ['exec', 'attach', 'portforward']) {
      const { status, message } = await gate.as('jane')('GET', `${inside}/pods/p/${process}`)
      deepEqual([status, message], [403, 'pods "p" is forbidden: '])
    }
    match((await gate.as('john')('GET', `${inside}/pods/p/exec?command=x`)).message, /pods "p" not found/)
  })

  it('that changes what is not there needs create, too', async () => {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'made' }, spec: {} }
    const path = '/apis/coordination.k8s.io/v1/namespaces/here/leases/made'
    const here = '/apis/rbac.authorization.k8s.io/v1/namespaces/here'
    await gate.ask('POST', `${here}/roles`, role('leases', rule('update', 'leases', 'coordination.k8s.io')))
    await gate.ask('POST', `${here}/rolebindings`, binding('leases', 'Role leases', 'User jane'))
    const refused = await gate.as('jane')('PUT', path, lease)
    deepEqual([refused.status, refused.message], [403, 'leases.coordination.k8s.io "made" is forbidden: '])
    const apply = ['content-type', 'application/apply-patch+yaml', 'impersonate-user', 'jane']
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } }
    equal((await gate.ask('PATCH', `${inside}/configmaps/made?fieldManager=m`, map, apply)).status, 403)
    const john = ['content-type', 'application/apply-patch+yaml', 'impersonate-user', 'john']
    equal((await gate.ask('PATCH', `${inside}/configmaps/made?fieldManager=m`, map, john)).status, 201)
  })

  it('is rejected in words that no browser takes for a page', async () => {
    const { message } = await gate.as('jane')('GET', '/<script>')
    equal(message, 'forbidden: User "jane" cannot get path "/&lt;script&gt;"')
  })
})
