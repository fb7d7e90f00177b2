import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const roles = new KindHarness('rbac/v1.Role')
const clusterRoles = new KindHarness('rbac/v1.ClusterRole')
const podReader = { apiGroups: [''], resources: ['pods'], verbs: ['get'] }

describe('roles', () => {
  it('grant something, of something, in some group', () => {
    const { errors } = roles.create({
      rules: [podReader, { apiGroups: [''], resources: ['pods'], verbs: [] }, { verbs: ['get'] }],
    })
    assert.deepEqual(errors, [
      'rules[1].verbs: Required value: verbs must contain at least one value',
      'rules[2].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[2].resources: Required value: resource rules must supply at least one resource',
    ])
  })

  it('speak of paths only for the whole cluster, and never of resources in the same breath', () => {
    const rule = { nonResourceURLs: ['/healthz'], verbs: ['get'] }
    assert.deepEqual(clusterRoles.create({ rules: [rule] }).errors, [])
    assert.deepEqual(roles.create({ rules: [{ ...rule, resourceNames: ['a'] }] }).errors, [
      'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs',
      'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
    ])
  })

  it('show their age', () => {
    const role = roles.create({ metadata: { creationTimestamp: '2024-01-01T00:00:00Z' } })
    assert.equal(roles.row(role)['Created At'], '2024-01-01T00:00:00Z')
  })
})

describe('aggregated cluster roles', () => {
  it('need a selector', () => {
    assert.deepEqual(clusterRoles.create({ aggregationRule: {} }).errors, [
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ])
  })

  it('say twice that a selector is wrong', () => {
    const selector = { matchExpressions: [{ key: 'tier', operator: 'Near' }] }
    const { errors } = clusterRoles.create({ aggregationRule: { clusterRoleSelectors: [{}, selector] } })
    assert.deepEqual(errors, [
      'aggregationRule.clusterRoleSelectors[1].matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
      'aggregationRule.clusterRoleSelectors[1]: Invalid value: null: invalid label selector.',
    ])
  })

  it('keep values that were accepted once, but go on saying that nothing matches', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['-bad-'] }] }
    const old = clusterRoles.create({ aggregationRule: { clusterRoleSelectors: [selector] } })
    assert.equal(old.errors.length, 2)
    assert.deepEqual(clusterRoles.update(old, { metadata: { labels: { a: 'b' } } }).errors, [
      'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
    ])
  })
})
