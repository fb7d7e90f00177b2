import { strictEqual as equal } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matchesRule, type RuleSubject } from './rules.js'

const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] } as const
const subject: RuleSubject = {
  operation: 'CREATE',
  resource: { group: 'apps', version: 'v1', resource: 'deployments' },
  subresource: '',
  namespace: 'here',
}
const matches = (rule: object, about: object = {}) =>
  matchesRule({ ...everything, ...rule } as never, { ...subject, ...about })

describe('A rule', () => {
  it('names operations, groups and versions, or all of them', () => {
    equal(matches({}), true)
    equal(matches({ operations: ['UPDATE', 'CREATE'] }), true)
    equal(matches({ operations: ['UPDATE'] }), false)
    equal(matches({ apiGroups: ['apps'], apiVersions: ['v1'] }), true)
    equal(matches({ apiGroups: [''] }), false)
    equal(matches({ apiVersions: ['v2'] }), false)
    equal(matches({ apiGroups: undefined }), false)
  })

  it('names resources and subresources, and means neither by the other', () => {
    const status = { subresource: 'status' }
    const table: readonly (readonly [string, boolean, boolean])[] = [
      ['deployments', true, false],
      ['deployments/status', false, true],
      ['deployments/*', true, true],
      ['deployments/scale', false, false],
      ['*', true, false],
      ['*/*', true, true],
      ['*/status', false, true],
      ['pods', false, false],
    ]
    for (const [pattern, whole, part] of table) {
      equal(matches({ resources: [pattern] }), whole, pattern)
      equal(matches({ resources: [pattern] }, status), part, `${pattern} for a subresource`)
    }
  })

  it('tells what stands in a namespace from what does not; a namespace itself does not', () => {
    const namespaces = { resource: { group: '', version: 'v1', resource: 'namespaces' } }
    equal(matches({ scope: 'Namespaced' }), true)
    equal(matches({ scope: 'Cluster' }), false)
    equal(matches({ scope: 'Namespaced' }, { namespace: '' }), false)
    equal(matches({ scope: 'Cluster' }, { namespace: '' }), true)
    equal(matches({ scope: 'Namespaced' }, namespaces), false)
    equal(matches({ scope: 'Cluster' }, namespaces), true)
  })
})
