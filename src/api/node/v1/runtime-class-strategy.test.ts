import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const runtimeClasses = new KindHarness('node/v1.RuntimeClass')
describe('runtime classes', () => {
  it('name a handler by a label', () => {
    assert.deepEqual(runtimeClasses.create({ handler: 'runsc' }).errors, [])
    assert.match(runtimeClasses.create({ handler: '' }).errors.join(), /^handler: Invalid value: "": a lowercase/)
  })

  it('tell what is wrong with an overhead as if it were limits', () => {
    const { errors } = runtimeClasses.create({ handler: 'a', overhead: { podFixed: { cpu: '-1' } } })
    assert.deepEqual(errors, ['overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'])
  })

  it('choose nodes by labels, and tolerate their taints', () => {
    const { errors } = runtimeClasses.create({
      handler: 'a',
      scheduling: { nodeSelector: { 'a b': 'c' }, tolerations: [{ operator: 'Equal', value: 'x' }] },
    })
    assert.match(errors[0]!, /^scheduling\.nodeSelector: Invalid value: "a b": name part must consist/)
    assert.match(errors[1]!, /^scheduling\.tolerations\[0\]\.operator: Invalid value: "Equal"/)
  })

  it('keep their handler', () => {
    const old = runtimeClasses.create({ handler: 'runsc' })
    assert.deepEqual(runtimeClasses.update(old, { handler: 'kata' }).errors, [
      'handler: Invalid value: "kata": field is immutable',
    ])
    assert.equal(runtimeClasses.row(old).Handler, 'runsc')
  })
})
