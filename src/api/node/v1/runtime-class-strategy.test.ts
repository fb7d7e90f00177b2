import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindTrial } from '../../../testing/objects/kind-harness.js'

const runtimeClasses = new KindTrial('node/v1.RuntimeClass')
describe('runtime classes', () => {
  it('name a handler by a label', () => {
    assert.deepEqual(runtimeClasses.created({ handler: 'runsc' }).errors, [])
    assert.match(runtimeClasses.created({ handler: '' }).errors.join(), /^handler: Invalid value: "": a lowercase/)
  })

  it('tell what is wrong with an overhead as if it were limits', () => {
    const { errors } = runtimeClasses.created({ handler: 'a', overhead: { podFixed: { cpu: '-1' } } })
    assert.deepEqual(errors, ['overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'])
  })

  it('choose nodes by labels, and tolerate their taints', () => {
    const { errors } = runtimeClasses.created({
      handler: 'a',
      scheduling: { nodeSelector: { 'a b': 'c' }, tolerations: [{ operator: 'Equal', value: 'x' }] },
    })
    assert.match(errors[0]!, /^scheduling\.nodeSelector: Invalid value: "a b": name part must consist/)
    assert.match(errors[1]!, /^scheduling\.tolerations\[0\]\.operator: Invalid value: "Equal"/)
  })

  it('keep their handler', () => {
    const old = runtimeClasses.created({ handler: 'runsc' })
    assert.deepEqual(runtimeClasses.updated(old, { handler: 'kata' }).errors, [
      'handler: Invalid value: "kata": field is immutable',
    ])
    assert.equal(runtimeClasses.row(old).Handler, 'runsc')
  })
})
