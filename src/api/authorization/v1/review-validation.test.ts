import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RegistryStrategy } from '../../../schema/strategy.js'
import { builtin } from '../../scheme.js'

function problemsOf(kind: string, spec: object, metadata: object = {}): readonly string[] {
  const strategy = builtin.type(`authorization/v1.${kind}`).strategy as unknown as RegistryStrategy<object>
  return [...strategy.validate!({ metadata, spec }, {} as never)].map(String)
}

const resourceAttributes = { namespace: 'a', verb: 'get', resource: 'pods' }
const nonResourceAttributes = { path: '/x', verb: 'get' }

describe('reviews of access', () => {
  it('ask about one thing', () => {
    assert.deepEqual(problemsOf('SelfSubjectAccessReview', { resourceAttributes }), [])
    assert.deepEqual(problemsOf('SelfSubjectAccessReview', {}), [
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ])
    assert.deepEqual(problemsOf('SelfSubjectAccessReview', { resourceAttributes, nonResourceAttributes }), [
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
    ])
  })

  it('about others name them', () => {
    assert.deepEqual(problemsOf('SubjectAccessReview', { resourceAttributes, groups: ['ops'] }), [])
    assert.deepEqual(problemsOf('SubjectAccessReview', { resourceAttributes }), [
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ])
  })

  it('in a namespace are about that namespace', () => {
    const review = (spec: object) => problemsOf('LocalSubjectAccessReview', { user: 'u', ...spec }, { namespace: 'b' })
    assert.deepEqual(review({ resourceAttributes: { ...resourceAttributes, namespace: 'b' } }), [])
    assert.deepEqual(review({ resourceAttributes }), [
      'spec.resourceAttributes.namespace: Invalid value: "a": must match metadata.namespace',
    ])
    assert.deepEqual(review({ nonResourceAttributes }), [
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request',
    ])
  })

  it('have no names', () => {
    assert.deepEqual(problemsOf('SelfSubjectAccessReview', { resourceAttributes }, { name: 'x' }), [
      'metadata: Invalid value: {"name":"x"}: must be empty',
    ])
  })

  it('say a selector in one way', () => {
    const withSelectors = (selectors: object) =>
      problemsOf('SelfSubjectAccessReview', { resourceAttributes: { ...resourceAttributes, ...selectors } })
    assert.deepEqual(withSelectors({ fieldSelector: {} }), [
      'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
    ])
    const requirements = [
      { key: '', operator: 'In' },
      { key: 'k', operator: 'Exists', values: ['v'] },
    ]
    assert.deepEqual(withSelectors({ fieldSelector: { rawSelector: 'a=b', requirements } }), [
      'spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
      'spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified',
      "spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.resourceAttributes.fieldSelector.requirements[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ])
    assert.deepEqual(withSelectors({ labelSelector: { requirements: [{ key: 'k', operator: 'FromTheFuture' }] } }), [])
  })
})
