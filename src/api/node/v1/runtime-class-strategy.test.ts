import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { created, patched, shown } from '../../../testing/written-object.js'

describe('runtime classes', () => {
  it('name a handler by a label', () => {
    assert.deepEqual(created('node/v1.RuntimeClass', { handler: 'runsc' }).problems, [])
    assert.match(
      created('node/v1.RuntimeClass', { handler: '' }).problems.join(),
      /^handler: Invalid value: "": a lowercase/,
    )
  })

  it('tell what is wrong with an overhead as if it were limits', () => {
    const { problems } = created('node/v1.RuntimeClass', { handler: 'a', overhead: { podFixed: { cpu: '-1' } } })
    assert.deepEqual(problems, ['overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'])
  })

  it('choose nodes by labels, and tolerate their taints', () => {
    const { problems } = created('node/v1.RuntimeClass', {
      handler: 'a',
      scheduling: { nodeSelector: { 'a b': 'c' }, tolerations: [{ operator: 'Equal', value: 'x' }] },
    })
    assert.match(problems[0]!, /^scheduling\.nodeSelector: Invalid value: "a b": name part must consist/)
    assert.match(problems[1]!, /^scheduling\.tolerations\[0\]\.operator: Invalid value: "Equal"/)
  })

  it('keep their handler', () => {
    const old = created('node/v1.RuntimeClass', { handler: 'runsc' })
    assert.deepEqual(patched(old, { handler: 'kata' }).problems, ['handler: Invalid value: "kata": field is immutable'])
    assert.equal(shown(old).Handler, 'runsc')
  })
})
