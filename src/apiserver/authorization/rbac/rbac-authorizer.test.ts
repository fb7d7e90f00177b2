import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import {
  binding,
  type Cluster,
  clusterBinding,
  clusterRole,
  openCluster,
  question,
  role,
  rule,
  user,
} from '../authorization.test.kit.js'
import { RbacAuthorizer } from './rbac-authorizer.js'

const here = { namespace: 'here' }

describe('RBAC', () => {
  let cluster: Cluster
  let rbac: RbacAuthorizer
  beforeEach(async () => {
    cluster = await openCluster()
    rbac = new RbacAuthorizer(cluster.resources)
  })
  const may = (...asked: Parameters<typeof question>) => rbac.authorize(question(...asked)).decision === 'allow'
  const jane = user('jane', 'dev')

  it('grants from the moment in which a binding is acknowledged, until that in which it goes', async () => {
    equal(may(jane, 'get', 'pods', here), false)
    await cluster.put(role('reader', rule('get', 'pods')))
    await cluster.put(binding('readers', 'Role reader', 'User jane'))
    equal(may(jane, 'get', 'pods', here), true)
    await cluster.put(binding('readers', 'Role reader', 'User john'))
    equal(may(jane, 'get', 'pods', here), false)
    equal(may(user('john'), 'get', 'pods', here), true)
    await cluster.remove(binding('readers', 'Role reader'))
    equal(may(user('john'), 'get', 'pods', here), false)
  })

  it('follows changes of a role', async () => {
    await cluster.put(clusterRole('r', rule('get', 'pods')), clusterBinding('b', 'r', 'Group dev'))
    equal(may(jane, 'list', 'pods'), false)
    await cluster.put(clusterRole('r', rule('list', 'pods')))
    equal(may(jane, 'list', 'pods'), true)
    equal(may(jane, 'get', 'pods'), false)
  })

  it('grants by a binding in a namespace only there, also what a cluster role says', async () => {
    await cluster.put(clusterRole('r', rule('get', 'pods nodes')), binding('b', 'ClusterRole r', 'User jane'))
    equal(may(jane, 'get', 'pods', here), true)
    equal(may(jane, 'get', 'pods', { namespace: 'there' }), false)
    equal(may(jane, 'get', 'pods'), false)
    equal(may(jane, 'get', 'nodes'), false)
  })

  it('knows service accounts by namespace and name', async () => {
    await cluster.put(role('r', rule('get', 'pods')), binding('b', 'Role r', 'ServiceAccount there/robot'))
    equal(may(user('system:serviceaccount:there:robot'), 'get', 'pods', here), true)
    equal(may(user('system:serviceaccount:here:robot'), 'get', 'pods', here), false)
    equal(may(user('robot'), 'get', 'pods', here), false)
  })

  it('does not take a user for a group, nor a group for a user', async () => {
    await cluster.put(clusterRole('r', rule('get', 'pods')))
    await cluster.put(clusterBinding('b', 'r', 'Group jane'), clusterBinding('c', 'r', 'User dev'))
    equal(may(jane, 'get', 'pods'), false)
    equal(may(user('dev'), 'get', 'pods'), true)
    equal(may(user('x', 'jane'), 'get', 'pods'), true)
  })

  it('takes a star for all resources, or for a subresource of all, and for nothing else', async () => {
    await cluster.put(clusterRole('a', rule('get', '*/scale', '*')), clusterBinding('a', 'a', 'User a'))
    await cluster.put(clusterRole('b', rule('get', 'pods/*')), clusterBinding('b', 'b', 'User b'))
    await cluster.put(clusterRole('c', rule('*', '*', 'apps')), clusterBinding('c', 'c', 'User c'))
    const of =
      (name: string) =>
      (resource: string, group = '') =>
        may(user(name), 'get', resource, { group })
    deepEqual([of('a')('pods/scale'), of('a')('deployments/scale', 'apps'), of('a')('pods')], [true, true, false])
    deepEqual([of('b')('pods/log'), of('b')('pods'), of('b')('pods/*')], [false, false, true])
    deepEqual([of('c')('deployments/status', 'apps'), of('c')('x', 'apps'), of('c')('pods')], [true, true, false])
  })

  it('grants by name only where a name is asked about', async () => {
    await cluster.put(clusterRole('r', rule('get list create deletecollection', 'secrets', '', ['db'])))
    await cluster.put(clusterBinding('b', 'r', 'User jane'))
    equal(may(jane, 'get', 'secrets', { name: 'db' }), true)
    equal(may(jane, 'list', 'secrets', { name: 'db' }), true)
    equal(may(jane, 'get', 'secrets', { name: 'api' }), false)
    equal(may(jane, 'list', 'secrets'), false)
    equal(may(jane, 'create', 'secrets'), false)
    equal(may(jane, 'deletecollection', 'secrets'), false)
  })

  it('tells of roles that are bound and not there', async () => {
    await cluster.put(clusterBinding('b', 'gone', 'User jane'), binding('c', 'Role lost', 'Group dev'))
    equal(
      rbac.authorize(question(jane, 'get', 'pods', here)).reason,
      'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
    )
    equal(
      rbac.authorize(question(jane, 'get', 'pods')).reason,
      'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    )
    equal(rbac.authorize(question(user('john'), 'get', 'pods', here)).reason, '')
  })

  it('says by which binding somebody may', async () => {
    await cluster.put(role('r', rule('get', 'pods')), binding('b', 'Role r', 'ServiceAccount here/robot'))
    const { reason } = rbac.authorize(question(user('system:serviceaccount:here:robot'), 'get', 'pods', here))
    equal(reason, 'RBAC: allowed by RoleBinding "b/here" of Role "r" to ServiceAccount "robot/here"')
  })

  it('agrees at every moment with one that has just begun, whatever happens to bindings and roles', async () => {
    const who = fc.constantFrom('User a', 'User b', 'Group g', 'ServiceAccount here/s')
    const number = fc.integer({ min: 0, max: 3 })
    const step = fc.oneof(
      fc.record({ put: number, role: number, subjects: fc.array(who, { maxLength: 4 }) }),
      fc.record({ remove: number }),
      fc.record({ role: number, verb: fc.constantFrom('get', 'list', '*') }),
    )
    const asked = [user('a'), user('b', 'g'), user('system:serviceaccount:here:s', 'g')].flatMap((one) =>
      ['get', 'list', 'delete'].flatMap((verb) => [question(one, verb, 'pods', here), question(one, verb, 'pods')]),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const world = await openCluster()
        const old = new RbacAuthorizer(world.resources)
        const there = new Set<number>()
        for (const one of steps) {
          if ('put' in one) {
            await world.put(binding(`b${one.put}`, `ClusterRole r${one.role}`, ...one.subjects))
            there.add(one.put)
          } else if ('remove' in one) {
            if (there.delete(one.remove)) await world.remove(binding(`b${one.remove}`, 'ClusterRole r0'))
          } else await world.put(clusterRole(`r${one.role}`, rule(one.verb, 'pods')))
          const fresh = new RbacAuthorizer(world.resources)
          for (const about of asked)
            equal(old.authorize(about).decision, fresh.authorize(about).decision, JSON.stringify(about))
        }
      }),
      { numRuns: 60 },
    )
  })
})
