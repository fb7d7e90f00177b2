import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const kind = new KindHarness('flowcontrol/v1.FlowSchema')
const subject = { kind: 'User', user: { name: 'u' } }
const resourceRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }
const spec = { priorityLevelConfiguration: { name: 'low' } }

function problemsOf(change: object, name = 'mine'): readonly string[] {
  return kind.create({ metadata: { name }, spec: { ...spec, ...change } }).errors
}

function ruleProblems(rule: object): readonly string[] {
  return problemsOf({ rules: [{ subjects: [subject], resourceRules: [resourceRule], ...rule }] })
}

describe('flow schemas', () => {
  it('are asked at precedence 1000 by default', () => {
    const { object, errors } = kind.create({ spec })
    assert.deepEqual(errors, [])
    assert.equal((object.spec as { matchingPrecedence: number }).matchingPrecedence, 1000)
  })

  it('have a precedence from 2 to 10000, and only one of them has the first', () => {
    assert.deepEqual(problemsOf({ matchingPrecedence: -1 }), [
      'spec.matchingPrecedence: Invalid value: -1: must be a positive value',
    ])
    assert.deepEqual(problemsOf({ matchingPrecedence: 10_001 }), [
      'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000',
    ])
    assert.deepEqual(problemsOf({ matchingPrecedence: 1 }), [
      "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
    ])
  })

  it('lead to a priority level, and tell flows apart in a known way', () => {
    assert.deepEqual(
      problemsOf({ priorityLevelConfiguration: { name: '' }, distinguisherMethod: { type: 'ByMood' } }),
      [
        'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByMood"}: supported values: "ByNamespace", "ByUser"',
        'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
      ],
    )
  })

  it('say who, in the field for it', () => {
    assert.deepEqual(ruleProblems({ subjects: [] }), [
      'spec.rules[0].subjects: Required value: subjects must contain at least one value',
    ])
    assert.deepEqual(ruleProblems({ subjects: [{ kind: 'User', group: { name: 'g' } }, { kind: 'Robot' }] }), [
      "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
      "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
      'spec.rules[0].subjects[1].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"',
    ])
    assert.deepEqual(
      ruleProblems({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: '' } }] }),
      [
        'spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account',
      ],
    )
  })

  it('say what: resources or paths', () => {
    assert.deepEqual(ruleProblems({ resourceRules: [] }), [
      'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
    ])
    assert.deepEqual(ruleProblems({ resourceRules: [{ verbs: ['fly'], apiGroups: [], resources: ['*', 'pods'] }] }), [
      'spec.rules[0].resourceRules[0].verbs: Unsupported value: ["fly"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      'spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group',
      `spec.rules[0].resourceRules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources`,
      'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
    ])
  })

  it('write paths with a slash before and a wildcard behind', () => {
    const urls = ['/', '/a/*', '', 'a', '/a b', '/a//b', '/a*', '/*/b']
    const errors = ruleProblems({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: urls }] })
    assert.deepEqual(
      errors.map((text) => text.replace('spec.rules[0].nonResourceRules[0].nonResourceURLs', '')),
      [
        '[2]: Invalid value: "": must not be empty',
        '[3]: Invalid value: "a": must start with slash',
        '[4]: Invalid value: "/a b": must not contain white-space',
        '[5]: Invalid value: "/a//b": must not contain double slash',
        '[6]: Invalid value: "/a*": wildcard can only do suffix matching',
        '[7]: Invalid value: "/*/b": wildcard can only do suffix matching',
      ],
    )
  })

  it('that are mandatory cannot change', () => {
    const everything = { ...resourceRule, clusterScope: true }
    const nonResourceRules = [{ verbs: ['*'], nonResourceURLs: ['*'] }]
    const masters = { kind: 'Group', group: { name: 'system:masters' } }
    const exempt = {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [{ subjects: [masters], resourceRules: [everything], nonResourceRules }],
    }
    assert.deepEqual(problemsOf(exempt, 'exempt'), [])
    assert.match(
      problemsOf({ ...exempt, rules: [] }, 'exempt').join(),
      /^spec: Invalid value: \{"PriorityLevelConfiguration":\{"Name":"exempt"\},"MatchingPrecedence":1,.*\}: spec of 'exempt' must equal the fixed value$/,
    )
  })

  it('show their level, and whether it is there', () => {
    const schema = kind.create({ spec })
    assert.equal(kind.row(schema).MissingPL, '?')
    const dangling = kind.update(schema, { status: { conditions: [{ type: 'Dangling', status: 'True' }] } }, 'status')
    const { PriorityLevel, MatchingPrecedence, DistinguisherMethod, MissingPL } = kind.row(dangling)
    assert.deepEqual(
      [PriorityLevel, MatchingPrecedence, DistinguisherMethod, MissingPL],
      ['low', 1000, '<none>', 'True'],
    )
    assert.deepEqual(
      kind.update(schema, { status: { conditions: [{ type: 'A' }, { type: 'A' }, {}] } }, 'status').errors,
      [
        'status.conditions[1].type: Duplicate value: "A"',
        'status.conditions[2].type: Required value: must not be empty',
      ],
    )
  })

  it('keep their labels when their status is written', () => {
    const schema = kind.create({ spec, metadata: { labels: { a: 'b' } } })
    const written = kind.update(schema, { metadata: { labels: { a: 'c' } } }, 'status')
    assert.deepEqual((written.object.metadata as { labels: object }).labels, { a: 'b' })
  })
})
