import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'

const kind = new KindHarness('admissionregistration/v1.MutatingAdmissionPolicy')
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }
const mutation = { patchType: 'JSONPatch', jsonPatch: { expression: '[]' } }
const spec = { matchConstraints: { resourceRules: [rule] }, mutations: [mutation], reinvocationPolicy: 'Never' }

function problemsOf(change: object): readonly string[] {
  return kind.create({ spec: { ...spec, ...change } }).errors
}

describe('mutating admission policies', () => {
  it('change something, and say whether they are asked again', () => {
    assert.deepEqual(problemsOf({}), [])
    assert.deepEqual(problemsOf({ mutations: [], reinvocationPolicy: '' }), [
      'spec.mutations: Required value: mutations must contain at least one item',
      'spec.reinvocationPolicy: Required value',
    ])
  })

  it('change nothing in what is deleted', () => {
    assert.deepEqual(problemsOf({ matchConstraints: { resourceRules: [{ ...rule, operations: ['DELETE'] }] } }), [
      'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    ])
  })

  it('have patches of one type each', () => {
    const problemsWith = (...mutations: object[]) =>
      problemsOf({ mutations }).map((text) => text.replace('spec.mutations', ''))
    assert.deepEqual(problemsWith({ patchType: 'ApplyConfiguration' }, { patchType: 'Magic' }, { patchType: '' }), [
      '[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration',
      '[1].patchType: Unsupported value: "Magic": supported values: "ApplyConfiguration", "JSONPatch"',
      '[2].patchType: Required value',
    ])
    assert.deepEqual(problemsWith({ ...mutation, applyConfiguration: {} }, { patchType: 'JSONPatch', jsonPatch: {} }), [
      '[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
      '[1].jsonPatch.expression: Required value',
    ])
  })

  it('show how much they change', () => {
    assert.equal(kind.row(kind.create({ spec })).Mutations, 1)
  })
})
