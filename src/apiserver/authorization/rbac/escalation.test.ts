import { deepStrictEqual as deepEqual, strictEqual as equal, match } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { binding, clusterBinding, clusterRole, type Gate, role, rule, startGate } from '../authorization.test.kit.js'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const here = `${rbac}/namespaces/here`
const group = 'rbac.authorization.k8s.io'
const everything = rule('*', '*', '*')

describe('Nobody gets by RBAC what they do not have:', () => {
  let gate: Gate
  const put = async (path: string, object: object) => equal((await gate.ask('POST', path, object)).status, 201)

  before(async () => {
    gate = await startGate()
    await put('/api/v1/namespaces', { metadata: { name: 'here' } })
    const writing = rule('get create update patch delete', 'roles rolebindings', group)
    await put(`${here}/roles`, role('role-admin', writing, rule('get list', 'pods')))
    await put(`${here}/rolebindings`, binding('role-admin', 'Role role-admin', 'User alice'))
    await put(`${here}/roles`, role('mighty', everything))
    const everywhere = rule('get create update patch', 'clusterroles clusterrolebindings', group)
    await put(`${rbac}/clusterroles`, clusterRole('carol', everywhere, rule('get', 'nodes')))
    await put(`${rbac}/clusterrolebindings`, clusterBinding('carol', 'carol', 'User carol'))
  })
  after(() => gate.close())

  const refused = async (answer: ReturnType<Gate['ask']>) => {
    const { status, message } = await answer
    equal(status, 403, message)
    return message
  }

  it('not by a new role, nor by changing one, whichever way', async () => {
    const alice = gate.as('alice')
    match(
      await refused(alice('POST', `${here}/roles`, role('more', everything))),
      /not currently held:\n{APIGroups:\["\*"\]/,
    )
    equal((await alice('POST', `${here}/roles`, role('mine', rule('get', 'pods')))).status, 201)
    await refused(alice('PUT', `${here}/roles/mine`, role('mine', everything)))
    await refused(alice('PATCH', `${here}/roles/mine`, { rules: [everything] }))
    await refused(alice('PUT', `${here}/roles/made-by-put`, role('made-by-put', everything)))
    await refused(alice('PATCH', `${here}/roles/role-admin`, { rules: [everything] }))
    const apply = ['content-type', 'application/apply-patch+yaml', 'impersonate-user', 'alice']
    await refused(gate.ask('PATCH', `${here}/roles/a?fieldManager=a`, role('a', everything), apply))
    equal((await gate.ask('GET', `${here}/roles/a`)).status, 404)
    deepEqual((await alice('GET', `${here}/roles/mine`)).body.rules, [rule('get', 'pods')])
  })

  it('not by a binding to a mightier role, to oneself or another, nor by adding to one', async () => {
    const alice = gate.as('alice')
    const mine = binding('mine', 'Role mighty', 'User alice')
    match(
      await refused(alice('POST', `${here}/rolebindings`, mine)),
      /rolebindings.* "mine" is forbidden: user "alice"/,
    )
    await refused(alice('POST', `${here}/rolebindings`, binding('mine', 'ClusterRole cluster-admin', 'User bob')))
    await refused(alice('PUT', `${here}/rolebindings/mine`, mine))
    await put(`${here}/rolebindings`, binding('theirs', 'Role mighty', 'User root'))
    const subjects = [{ kind: 'User', name: 'alice', apiGroup: group }]
    await refused(alice('PATCH', `${here}/rolebindings/theirs`, { subjects }))
    equal((await alice('GET', '/api/v1/namespaces/here/secrets')).status, 403)
  })

  it('not by a sum of roles, whose parts others could add', async () => {
    const carol = gate.as('carol')
    const sum = { ...clusterRole('sum'), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }
    match(
      await refused(carol('POST', `${rbac}/clusterroles`, sum)),
      /must have cluster-admin privileges to use the aggregationRule/,
    )
    await put(`${rbac}/clusterroles`, sum)
    await refused(carol('PATCH', `${rbac}/clusterroles/sum`, { aggregationRule: null }))
    await refused(carol('PATCH', `${rbac}/clusterroles/edit`, { metadata: { labels: { x: 'y' } } }))
  })

  it('not by a rule so vast that it cannot be looked through', async () => {
    const many = (letter: string) => Array.from({ length: 60 }, (_, index) => `${letter}${index}`)
    const vast = { verbs: many('v'), apiGroups: many('g'), resources: many('r'), resourceNames: many('n') }
    const message = await refused(gate.as('alice')('POST', `${here}/roles`, role('vast', vast)))
    match(message, /more RBAC permissions at once than can be compared with those currently held/)
    await put(`${here}/roles`, role('vast', vast))
    await refused(gate.as('alice')('POST', `${here}/rolebindings`, binding('vast', 'Role vast', 'User alice')))
  })

  it('and a rule that lacks its verbs is rejected for that, whoever writes it', async () => {
    const verbless = { metadata: { name: 'x' }, rules: [{ apiGroups: [''], resources: ['pods'] }] }
    const answers = [
      await gate.ask('POST', `${here}/roles`, verbless),
      await gate.as('alice')('POST', `${here}/roles`, verbless),
    ]
    for (const { status, message } of answers) deepEqual([status, message], [422, answers[0]?.message])
  })

  it('but what one holds one may hand on, and change what leads to nothing', async () => {
    const alice = gate.as('alice')
    equal((await alice('POST', `${here}/roles`, role('held', rule('get list', 'pods')))).status, 201)
    equal((await alice('POST', `${here}/rolebindings`, binding('held', 'Role held', 'User bob'))).status, 201)
    const collected = { metadata: { finalizers: ['example.com/wait'] } }
    equal((await alice('PATCH', `${here}/roles/mighty`, collected)).status, 200)
    equal((await alice('PATCH', `${here}/roles/mighty`, { metadata: { labels: { a: 'b' } } })).status, 403)
    await gate.ask('PATCH', `${here}/roles/mighty`, { metadata: { finalizers: null } })
  })

  it('unless they may escalate, or bind that very role', async () => {
    await put(
      `${here}/roles`,
      role('trust', rule('escalate', 'roles', group), rule('bind', 'roles', group, ['mighty'])),
    )
    await put(`${here}/roles`, role('writer', rule('create', 'roles rolebindings', group)))
    for (const name of ['trust', 'writer'])
      await put(`${here}/rolebindings`, binding(name, `Role ${name}`, 'User dave'))
    const dave = gate.as('dave')
    equal((await dave('POST', `${here}/roles`, role('by-dave', everything))).status, 201)
    equal((await dave('POST', `${here}/rolebindings`, binding('m', 'Role mighty', 'User erin'))).status, 201)
    await refused(dave('POST', `${here}/rolebindings`, binding('n', 'Role by-dave', 'User erin')))
    await refused(dave('POST', `${here}/rolebindings`, binding('o', 'ClusterRole cluster-admin', 'User erin')))
  })

  it('and a role that is not there cannot be bound by those who hold nothing', async () => {
    const { status, message } = await gate.as('alice')(
      'POST',
      `${here}/rolebindings`,
      binding('x', 'Role gone', 'User a'),
    )
    deepEqual([status, message], [404, 'rolebindings.rbac.authorization.k8s.io "gone" not found'])
    for (const kind of ['Rolle', 'constructor', '__proto__']) {
      const unknown = { ...binding('x', 'Role r', 'User a'), roleRef: { kind, name: 'r', apiGroup: group } }
      const answer = await gate.as('alice')('POST', `${here}/rolebindings`, unknown)
      deepEqual([answer.status, answer.message], [500, `unsupported role reference kind: "${kind}"`])
    }
  })
})
