import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldPath } from '../../../schema/field-path.js'
import { isKubernetesSigner, validateSignerName } from './signer-names.js'

function problemsOf(name: string): readonly string[] {
  return validateSignerName(name, fieldPath('s')).map(String)
}

describe('names of signers', () => {
  it('are a domain and a path', () => {
    for (const good of ['example.com/staff', 'kubernetes.io/kube-apiserver-client', 'a.b/c.d.e'])
      assert.deepEqual(problemsOf(good), [], good)
  })

  it('are nothing else', () => {
    const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
    assert.deepEqual(problemsOf(''), ['s: Required value'])
    assert.deepEqual(problemsOf('staff'), [`s: Invalid value: "staff": ${form}`])
    assert.deepEqual(problemsOf('a.b/c/d'), [`s: Invalid value: "a.b/c/d": ${form}`])
    assert.deepEqual(problemsOf('example/staff'), [
      's: Invalid value: "example": should be a domain with at least two segments separated by dots',
    ])
    assert.match(
      problemsOf('a.-b.C/d').join('\n'),
      /^s: Invalid value: "a\.-b\.C": validating label "-b": a lowercase[^\n]*$/,
    )
    assert.match(
      problemsOf(`${'a'.repeat(60)}.${'b.'.repeat(100)}c/d`).join('\n'),
      /^s: Too long: may not be more than 253 bytes/,
    )
  })

  it('may be those of Kubernetes', () => {
    assert.equal(isKubernetesSigner('kubernetes.io/a'), true)
    assert.equal(isKubernetesSigner('x.kubernetes.io/a'), true)
    assert.equal(isKubernetesSigner('notkubernetes.io/a'), false)
  })
})
