import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { binding, clusterBinding, type Gate, role, rule, startGate } from '../authorization/authorization.test.kit.js'

const authorization = '/apis/authorization.k8s.io/v1'
const here = '/apis/rbac.authorization.k8s.io/v1/namespaces/here'

describe('A review of access', () => {
  let gate: Gate
  before(async () => {
    gate = await startGate()
    await gate.ask('POST', '/api/v1/namespaces', { metadata: { name: 'here' } })
    await gate.ask('POST', `${here}/roles`, role('reader', rule('get list', 'pods')))
    await gate.ask('POST', `${here}/rolebindings`, binding('reader', 'Role reader', 'User alice'))
    const gone = clusterBinding('gone', 'no-such-role', 'User bob')
    await gate.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', gone)
  })
  after(() => gate.close())

  const review = (kind: string, spec: object, path = `${kind.toLowerCase()}s`) =>
    gate.ask('POST', `${authorization}/${path}`, { kind, apiVersion: 'authorization.k8s.io/v1', spec })
  const about = async (user: string, resourceAttributes: object) =>
    (await review('SubjectAccessReview', { user, resourceAttributes })).body.status

  it('tells whether, and by what', async () => {
    deepEqual(await about('alice', { namespace: 'here', verb: 'list', resource: 'pods' }), {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "reader/here" of Role "reader" to User "alice"',
    })
    deepEqual(await about('alice', { verb: 'list', resource: 'pods' }), { allowed: false })
    deepEqual(await about('bob', { verb: 'list', resource: 'pods' }), {
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "no-such-role" not found',
    })
  })

  it('takes into account what part of a collection is meant', async () => {
    const node = (fieldSelector: object) =>
      review('SubjectAccessReview', {
        user: 'system:node:a',
        groups: ['system:nodes'],
        resourceAttributes: { verb: 'list', resource: 'pods', fieldSelector },
      }).then(({ body }) => body.status)
    const refused = { allowed: false, reason: 'can only list/watch pods with spec.nodeName field selector' }
    const own = { key: 'spec.nodeName', operator: 'In', values: ['a'] }
    deepEqual(await node({ rawSelector: 'spec.nodeName=a' }), { allowed: true })
    deepEqual(await node({ requirements: [own] }), { allowed: true })
    deepEqual(await node({ rawSelector: 'spec.nodeName=b' }), refused)
    deepEqual(await node({ requirements: [{ ...own, operator: 'NotIn' }] }), refused)
    deepEqual(await node({ rawSelector: 'nonsense' }), {
      ...refused,
      evaluationError: 'spec.resourceAttributes.fieldSelector ignored due to parse error',
    })
    deepEqual(await node({ requirements: [own, { ...own, values: ['a', 'b'] }] }), {
      allowed: true,
      evaluationError: 'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
    })
  })

  it('may be asked about any namespace, but in one only about that', async () => {
    const resourceAttributes = { namespace: 'nowhere', verb: 'get', resource: 'pods' }
    const path = 'namespaces/nowhere/localsubjectaccessreviews'
    const asked = await review('LocalSubjectAccessReview', { user: 'alice', resourceAttributes }, path)
    deepEqual([asked.status, asked.body.status], [201, { allowed: false }])
    const other = await review(
      'LocalSubjectAccessReview',
      { user: 'alice', resourceAttributes },
      'namespaces/here/localsubjectaccessreviews',
    )
    equal(other.status, 422)
  })

  it('lists what somebody may do, and says where it cannot know', async () => {
    const rules = (name: string, ...groups: readonly string[]) =>
      gate.as(name, ...groups)('POST', `${authorization}/selfsubjectrulesreviews`, {
        kind: 'SelfSubjectRulesReview',
        apiVersion: 'authorization.k8s.io/v1',
        spec: { namespace: 'here' },
      })
    const alice = (await rules('alice')).body.status as unknown as { resourceRules: object[]; incomplete: boolean }
    deepEqual(alice.resourceRules.at(-1), rule('get list', 'pods'))
    equal(alice.incomplete, false)
    const bob = (await rules('bob')).body.status as unknown as { evaluationError: string; incomplete: boolean }
    equal(bob.evaluationError, 'clusterrole.rbac.authorization.k8s.io "no-such-role" not found')
    const node = (await rules('system:node:a', 'system:nodes')).body.status as unknown as typeof bob
    deepEqual([node.incomplete, node.evaluationError], [true, 'node authorizer does not support user rule resolution'])
  })
})
