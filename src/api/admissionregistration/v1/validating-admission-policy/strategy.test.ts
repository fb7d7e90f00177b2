import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'

const kind = new KindHarness('admissionregistration/v1.ValidatingAdmissionPolicy')
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }
const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] }
const policy = kind.create({ spec })

function problemsOf(change: object): readonly string[] {
  return kind.create({ spec: { ...spec, ...change } }).errors
}

describe('validating admission policies', () => {
  it('fail closed, and match what is equivalent, everywhere', () => {
    assert.deepEqual(policy.errors, [])
    const read = policy.object.spec as Record<string, unknown>
    assert.equal(read.failurePolicy, 'Fail')
    assert.deepEqual(read.matchConstraints, {
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...rule, scope: '*' }],
      matchPolicy: 'Equivalent',
    })
  })

  it('are about some resource, and say something about it', () => {
    assert.deepEqual(kind.create({ spec: {} }).errors, [
      'spec.matchConstraints: Required value',
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ])
    assert.deepEqual(problemsOf({ matchConstraints: {} }), ['spec.matchConstraints.resourceRules: Required value'])
  })

  it('take parameters of a kind that can be', () => {
    const problemsWith = (paramKind: object) => problemsOf({ paramKind })
    assert.deepEqual(problemsWith({ apiVersion: 'v1', kind: 'ConfigMap' }), [])
    assert.deepEqual(problemsWith({}), [
      'spec.paramKind.apiVersion: Required value',
      'spec.paramKind.kind: Required value',
    ])
    assert.deepEqual(problemsWith({ apiVersion: 'a/b/c', kind: 'K' }), [
      'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ])
    assert.deepEqual(problemsWith({ apiVersion: 'a/', kind: 'K' }), [
      'spec.paramKind.apiVersion: Invalid value: "a/": version must be specified',
    ])
    assert.match(
      problemsWith({ apiVersion: 'v1', kind: '1' }).join(),
      /^spec\.paramKind\.kind: Invalid value: "1": may have mixed case, but should otherwise match: a DNS-1035/,
    )
  })

  it('have variables that expressions can name', () => {
    assert.deepEqual(
      problemsOf({
        variables: [
          { name: 'in', expression: '' },
          { name: ' ', expression: '1' },
        ],
      }),
      [
        'spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier',
        'spec.variables[0].expression: Required value: expression is not specified',
        'spec.variables[1].name: Required value: name is not specified',
      ],
    )
  })

  it('deny in one line, for a known reason', () => {
    const validation = { expression: ' ', message: 'two\nlines', messageExpression: ' ', reason: 'Teapot' }
    assert.deepEqual(problemsOf({ validations: [validation, { expression: 'true', message: ' ' }] }), [
      'spec.validations[0].expression: Required value: expression is not specified',
      'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
      'spec.validations[0].message: Invalid value: "two\\nlines": must not contain line breaks',
      'spec.validations[0].reason: Unsupported value: "Teapot": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      'spec.validations[1].message: Invalid value: " ": must be non-empty if specified',
    ])
  })

  it('annotate the audit under keys of their own', () => {
    const auditAnnotations = [
      { key: 'a', valueExpression: "'x'" },
      { key: 'a', valueExpression: ' ' },
      { key: '-', valueExpression: "'x'" },
    ]
    const errors = problemsOf({ auditAnnotations })
    assert.deepEqual(errors.slice(0, 2), [
      'spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified',
      'spec.auditAnnotations[1].key: Duplicate value: "a"',
    ])
    assert.match(errors[2]!, /^spec\.auditAnnotations\[2\]\.key: Invalid value: "it\/-": name part must consist/)
  })

  it('increment the generation with their spec, and show what they have', () => {
    const changed = kind.update(policy, { spec: { paramKind: { apiVersion: 'v1', kind: 'Secret' } } })
    assert.equal((changed.object.metadata as { generation: number }).generation, 2)
    assert.deepEqual([kind.row(changed).Validations, kind.row(changed).ParamKind], [1, 'v1/Secret'])
    assert.equal(kind.row(policy).ParamKind, '<unset>')
  })

  it('have a status that says of which field it warns', () => {
    const typeChecking = { expressionWarnings: [{ fieldRef: '', warning: '' }] }
    assert.deepEqual(kind.update(policy, { status: { typeChecking } }, 'status').errors, [
      'status.typeChecking.expressionWarnings[0].warning: Required value',
      'status.typeChecking.expressionWarnings[0].fieldRef: Required value',
    ])
  })
})
