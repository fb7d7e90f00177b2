import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { NamedRuleWithOperations } from '../match-resources.js'
import { validateMatchConditions } from './match-condition-validation.js'
import { validateMatchResources, validateRule } from './match-resources-validation.js'

const rule: NamedRuleWithOperations = {
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['deployments'],
}

function problemsOf(change: Partial<NamedRuleWithOperations>): readonly string[] {
  return validateRule({ ...rule, ...change }, fieldPath('r')).map(String)
}

describe('rules of what is asked about', () => {
  it('name groups, versions, resources and operations', () => {
    assert.deepEqual(problemsOf({ apiGroups: [], apiVersions: [''], resources: [], operations: [] }), [
      'r.operations: Required value',
      'r.apiGroups: Required value',
      'r.apiVersions[0]: Required value',
      'r.resources: Required value',
    ])
  })

  it('name nothing beside everything', () => {
    assert.deepEqual(problemsOf({ apiGroups: ['*', 'a'], apiVersions: ['*', 'v1'], operations: ['*', 'CREATE'] }), [
      `r.operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
      `r.apiGroups: Invalid value: ["*","a"]: if '*' is present, must not specify other API groups`,
      `r.apiVersions: Invalid value: ["*","v1"]: if '*' is present, must not specify other API versions`,
    ])
  })

  it('name no resource twice', () => {
    const problemsWith = (...resources: string[]) =>
      problemsOf({ resources }).map((text) => text.replace('r.resources', ''))
    assert.deepEqual(problemsWith('pods', 'pods/status', '*/scale'), [])
    assert.deepEqual(problemsWith('*', 'pods'), [
      `: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
    ])
    assert.deepEqual(problemsWith('*/*', 'pods'), [
      `: Invalid value: ["*/*","pods"]: if '*/*' is present, must not specify other resources`,
    ])
    assert.deepEqual(problemsWith('pods/*', 'pods/log'), [
      `[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
    ])
    assert.deepEqual(problemsWith('*/log', 'pods/log'), [
      `[1]: Invalid value: "pods/log": if '*/log' is present, must not specify pods/log`,
    ])
  })

  it('know operations and scopes', () => {
    assert.deepEqual(problemsOf({ operations: ['READ' as never], scope: 'Some' as never }), [
      'r.operations[0]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      'r.scope: Unsupported value: "Some": supported values: "*", "Cluster", "Namespaced"',
    ])
  })

  it('of policies name objects, each once', () => {
    const match = { matchPolicy: 'Exact', namespaceSelector: {}, objectSelector: {} } as const
    const resourceRules = [{ ...rule, resourceNames: ['a', 'a', 'b/c'] }]
    assert.deepEqual(validateMatchResources({ ...match, resourceRules }, fieldPath('m')).map(String), [
      'm.resourceRules[0].resourceNames[1]: Duplicate value: "a"',
      `m.resourceRules[0].resourceNames[2]: Invalid value: "b/c": may not contain '/'`,
    ])
  })
})

describe('match conditions', () => {
  it('have names and expressions, and there are 64 at most', () => {
    const good = { name: 'a', expression: 'true' }
    const problemsWith = (conditions: readonly (typeof good)[]) =>
      validateMatchConditions(conditions, fieldPath('c'), false).map(String)
    assert.deepEqual(problemsWith([good, good, { name: '', expression: ' ' }]), [
      'c[1].name: Duplicate value: "a"',
      'c[2].expression: Required value',
      'c[2].name: Required value',
    ])
    const many = Array.from({ length: 65 }, (_, i) => ({ ...good, name: `n-${i}` }))
    assert.deepEqual(problemsWith(many), ['c: Too many: 65: must have at most 64 items'])
  })
})
