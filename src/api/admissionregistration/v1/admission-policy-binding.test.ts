import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const validating = new KindHarness('admissionregistration/v1.ValidatingAdmissionPolicyBinding')
const mutating = new KindHarness('admissionregistration/v1.MutatingAdmissionPolicyBinding')
const spec = { policyName: 'p', validationActions: ['Deny'] }

function problemsOf(change: object): readonly string[] {
  return validating.create({ spec: { ...spec, ...change } }).errors
}

describe('bindings of admission policies', () => {
  it('name a policy and what it leads to', () => {
    assert.deepEqual(problemsOf({}), [])
    assert.deepEqual(problemsOf({ policyName: '', validationActions: [] }), [
      'spec.policyName: Required value',
      'spec.validationActions: Required value: at least one validation action is required',
    ])
    assert.deepEqual(problemsOf({ validationActions: ['Deny', 'Warn', 'Shout', 'Deny'] }), [
      'spec.validationActions[2]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
      'spec.validationActions[3]: Duplicate value: "Deny"',
      'spec.validationActions: Invalid value: ["Deny","Warn","Shout","Deny"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ])
  })

  it('find their parameters in one way, and say what to do without', () => {
    const exclusive = 'Forbidden: name and selector are mutually exclusive'
    assert.deepEqual(problemsOf({ paramRef: { name: 'a', selector: {} } }), [
      `spec.paramRef.name: ${exclusive}`,
      `spec.paramRef.selector: ${exclusive}`,
      'spec.paramRef.parameterNotFoundAction: Required value',
    ])
    assert.deepEqual(problemsOf({ paramRef: { parameterNotFoundAction: 'Cry' } }), [
      'spec.paramRef: Required value: one of name or selector must be specified',
      'spec.paramRef.parameterNotFoundAction: Unsupported value: "Cry": supported values: "Deny", "Allow"',
    ])
  })

  it('show where their parameters are', () => {
    const cell = (paramRef: object) =>
      mutating.row(mutating.create({ spec: { policyName: 'p', paramRef: { ...paramRef } } })).ParamRef
    assert.equal(cell({ name: 'limits' }), '*/limits')
    assert.equal(cell({ name: 'limits', namespace: 'ops' }), 'ops/limits')
    assert.equal(
      cell({
        selector: {
          matchLabels: { b: '2', a: '1' },
          matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
        },
      }),
      '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}',
    )
    assert.equal(validating.row(validating.create({ spec })).ParamRef, '<unset>')
  })

  it('of mutating policies leave deletions alone', () => {
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['pods'] }
    assert.deepEqual(mutating.create({ spec: { policyName: 'p', matchResources: { resourceRules: [rule] } } }).errors, [
      'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    ])
  })
})
