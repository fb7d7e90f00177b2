import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { question, user } from '../authorization.test.kit.js'
import type { AuthorizationAttributes } from '../authorizer.js'
import { AbacAuthorizer } from './abac-authorizer.js'
import { loadAbacPolicies } from './policies.js'

function policies(context: TestContext, ...lines: readonly string[]): ReturnType<typeof loadAbacPolicies> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'policies.jsonl')
  writeFileSync(path, lines.join('\n'))
  return loadAbacPolicies(path)
}

const policy = (spec: object) =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec })

describe('A policy file', () => {
  it('allows what one of its lines allows', (context) => {
    const abac = new AbacAuthorizer(
      policies(
        context,
        '# people',
        policy({ user: 'alice', namespace: '*', resource: '*', apiGroup: '*' }),
        '',
        policy({ user: 'bob', namespace: 'here', resource: 'pods', readonly: true }),
        policy({ group: 'ops', nonResourcePath: '/logs/*' }),
        policy({ user: 'carol', group: 'ops', namespace: 'here', resource: 'secrets' }),
        policy({ user: '*', readonly: true, nonResourcePath: '/version' }),
        policy({ namespace: '*', resource: '*', apiGroup: '*' }),
      ),
    )
    const may = (
      who: ReturnType<typeof user>,
      verb: string,
      resource: string,
      more: Partial<AuthorizationAttributes> = {},
    ) => abac.authorize(question(who, verb, resource, more)).decision === 'allow'
    const here = { namespace: 'here' }
    equal(may(user('alice'), 'delete', 'deployments', { group: 'apps', namespace: 'there' }), true)
    equal(may(user('bob'), 'watch', 'pods', here), true)
    equal(may(user('bob'), 'create', 'pods', here), false)
    equal(may(user('bob'), 'get', 'pods', { namespace: 'there' }), false)
    equal(may(user('bob'), 'get', 'pods', { ...here, group: 'metrics.k8s.io' }), false)
    equal(may(user('carol'), 'get', 'secrets', here), false)
    equal(may(user('carol', 'ops'), 'get', 'secrets', here), true)
    const path = (name: string) => ({ isResource: false, path: name })
    equal(may(user('x', 'ops'), 'get', '', path('/logs/kern.log')), true)
    equal(may(user('x', 'ops'), 'get', '', path('/log')), false)
    equal(may(user('x', 'system:authenticated'), 'get', '', path('/version')), true)
    equal(may(user('system:anonymous', 'system:unauthenticated'), 'get', '', path('/version')), false)
    equal(abac.authorize(question(user('nobody'), 'get', 'pods')).reason, 'No policy matched.')
    deepEqual(abac.rulesFor(user('bob'), 'here').rules, [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
    ])
  })

  it('may have lines of the first form, in which what is not said means anything', (context) => {
    const abac = new AbacAuthorizer(policies(context, '{"user":"alice"}', '{"readonly":true,"resource":"pods"}'))
    const may = (name: string, verb: string, resource: string) =>
      abac.authorize(question(user(name, 'system:authenticated'), verb, resource, { group: 'any' })).decision ===
      'allow'
    deepEqual(
      [may('alice', 'delete', 'x'), may('bob', 'get', 'pods'), may('bob', 'delete', 'pods'), may('bob', 'get', 'x')],
      [true, true, false, false],
    )
  })

  it('that cannot be read says in which line', (context) => {
    throws(() => policies(context, policy({}), 'nonsense'), /policies.jsonl, line 2 is not JSON/)
    throws(() => policies(context, '{"kind":"Policy","apiVersion":"v9"}'), /line 1 is not a policy of abac/)
    throws(() => policies(context, policy({ user: 7 })), /line 1: user must be a string/)
  })
})
