import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { ResourceQuota } from '../resource-quota.js'

const kind = new KindHarness<ResourceQuota>('core/v1.ResourceQuota')

describe('quotas that are rejected', () => {
  const unfit = 'unsupported scope applied to resource'
  const expression = (scopeName: string, operator: string, ...values: readonly string[]) => ({
    matchExpressions: [{ scopeName, operator, values }],
  })
  const selector = 'spec.scopeSelector.matchExpressions'
  const cases: readonly (readonly [title: string, spec: object, ...errors: readonly string[]])[] = [
    [
      'for names',
      { hard: { storage: '1', shoes: '1' } },
      'spec.hard[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'spec.hard[shoes]: Invalid value: "shoes": must be a standard resource for quota',
      'spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota',
    ],
    [
      'for amounts',
      { hard: { 'count/deployments.apps': '500m', cpu: '-1', pods: '1' } },
      'spec.hard[count/deployments.apps]: Invalid value: "500m": must be an integer',
      'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    [
      'for scopes that do not exist',
      { scopes: ['Sunday'] },
      'spec.scopes: Invalid value: ["Sunday"]: unsupported scope',
    ],
    [
      'for scopes that say the opposite',
      { scopes: ['Terminating', 'NotTerminating'] },
      'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
    ],
    [
      'for scopes of other things',
      { hard: { services: '1', cpu: '1', 'count/x': '1' }, scopes: ['BestEffort'] },
      `spec.scopes: Invalid value: ["BestEffort"]: ${unfit}`,
      `spec.scopes: Invalid value: ["BestEffort"]: ${unfit}`,
    ],
    [
      'not for scopes that fit',
      {
        hard: { persistentvolumeclaims: '1', 'requests.storage': '1' },
        scopeSelector: expression('VolumeAttributesClass', 'In', 'gold'),
      },
    ],
    [
      'for selectors of other things',
      { hard: { services: '1' }, scopeSelector: expression('PriorityClass', 'In', 'high') },
      `${selector}: Invalid value: {"MatchExpressions":[{"ScopeName":"PriorityClass","Operator":"In","Values":["high"]}]}: ${unfit}`,
    ],
    [
      'for selectors without values',
      { scopeSelector: expression('PriorityClass', 'In') },
      `${selector}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`,
    ],
    [
      'for selectors with values',
      { scopeSelector: expression('PriorityClass', 'Exists', 'a') },
      `${selector}.values: Invalid value: ["a"]: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector`,
    ],
    [
      'for selectors of what has no values',
      { scopeSelector: expression('BestEffort', 'DoesNotExist') },
      `${selector}.operator: Invalid value: "DoesNotExist": must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`,
    ],
    [
      'for selectors that are none',
      { scopeSelector: expression('Sunday', 'Maybe') },
      `${selector}.scopeName: Invalid value: "Sunday": unsupported scope`,
      `${selector}.operator: Invalid value: "Maybe": not a valid selector operator`,
    ],
  ]
  for (const [title, spec, ...errors] of cases)
    test(title, () => assert.deepEqual(kind.create({ spec }).errors, errors))
})

test('a quota keeps its scopes, in any order', () => {
  const old = kind.create({ spec: { hard: { pods: '1' }, scopes: ['BestEffort', 'Terminating'] } }).object
  assert.deepEqual(
    kind.update(old, { spec: { scopes: ['Terminating', 'BestEffort'], hard: { pods: '2' } } }).errors,
    [],
  )
  assert.deepEqual(kind.update(old, { spec: { scopes: ['Terminating'] } }).errors, [
    'spec.scopes: Invalid value: ["Terminating"]: field is immutable',
  ])
})

test('its status is of the same kind', () => {
  const old = kind.create({ spec: { hard: { pods: '1' } } }).object
  assert.deepEqual(
    kind.update(old, { status: { hard: { pods: '1' }, used: { pods: '-1', shoes: '1' } } }, 'status').errors,
    [
      'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
      'status.used[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'status.used[shoes]: Invalid value: "shoes": must be a standard resource for quota',
    ],
  )
})

test('the table shows limits apart', () => {
  const hard = { pods: '2', 'limits.cpu': '4', 'limits.memory': '1Gi', 'count/x': '3' }
  const row = kind.row(
    kind.update(kind.create({}).object, { status: { hard, used: { pods: '1', 'limits.cpu': '500m' } } }, 'status')
      .object,
  )
  assert.equal(row.Request, 'count/x: 0/3, pods: 1/2')
  assert.equal(row.Limit, 'limits.cpu: 500m/4, limits.memory: 0/1Gi')
})
