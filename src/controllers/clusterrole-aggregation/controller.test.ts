import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import { decide } from './controller.js'

function rule(resource: string) {
  return { apiGroups: [''], resources: [resource], verbs: ['get'] }
}

function role(name: string, labels: Record<string, string>, ...resources: readonly string[]): ClusterRole {
  return { metadata: { name, labels }, rules: resources.map(rule) } as unknown as ClusterRole
}

function aggregate(...selectors: readonly object[]): ClusterRole {
  const metadata = { name: 'all', labels: { a: 'yes' } }
  return { metadata, aggregationRule: { clusterRoleSelectors: selectors } } as unknown as ClusterRole
}

const a = { matchLabels: { a: 'yes' } }
const b = { matchExpressions: [{ key: 'b', operator: 'Exists' }] }
const one = role('one', { a: 'yes' }, 'pods', 'services')
const two = role('two', { a: 'yes', b: '' }, 'services', 'nodes')
const three = role('three', { b: '' }, 'secrets')

function resources(whole: ClusterRole, roles: readonly ClusterRole[]): readonly string[] {
  return (decide({ role: whole, roles }) ?? []).map((each) => each.resources![0]!)
}

describe('the rules of an aggregated role', () => {
  for (const [what, whole, roles, expected] of [
    [
      'are those of the roles that it selects, in the order of their names',
      aggregate(a),
      [two, three, one],
      ['pods', 'services', 'nodes'],
    ],
    ['contain each rule once', aggregate(a, b), [one, two, three], ['pods', 'services', 'nodes', 'secrets']],
    ['are in the order of the selectors', aggregate(b, a), [one, two, three], ['secrets', 'services', 'nodes', 'pods']],
    ['are the rules of all roles, for an empty selector', aggregate({}), [three], ['secrets']],
    ['are none without a selector', aggregate(), [one, two], []],
    [
      'do not include its own rules',
      aggregate(a),
      [{ ...aggregate(a), rules: [rule('own')] }, one],
      ['pods', 'services'],
    ],
  ] as const)
    test(what, () => assert.deepEqual(resources(whole, roles), expected))

  test('are written only if the role does not have them', () => {
    const whole = aggregate(a)
    assert.equal(decide({ role: { ...whole, rules: one.rules! }, roles: [one] }), undefined)
  })

  test('do not depend on the order of the observed roles', () => {
    const shuffled = fc.shuffledSubarray([one, two, three], { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(shuffled, (roles) => {
        assert.deepEqual(resources(aggregate(a, b), roles), ['pods', 'services', 'nodes', 'secrets'])
      }),
    )
  })
})
