import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../schema/field-path.js'
import type { Initializers } from '../meta/v1/initializers.js'
import { isEmptyInitializers, validateInitializers, validateInitializersUpdate } from './initializers.js'

const path = fieldPath('metadata').child('initializers')
const failure = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'no' }

function waiting(...names: readonly string[]): Initializers {
  return { pending: names.map((name) => ({ name })) }
}

function errors(initializers: Initializers): readonly string[] {
  return validateInitializers(initializers, path).map(String)
}

function updateErrors(next: Initializers | undefined, old: Initializers | undefined): readonly string[] {
  return validateInitializersUpdate(next, old, path).map(String)
}

describe('a pending initializer', () => {
  test('has a fully qualified name of at least three parts', () => {
    assert.deepEqual(errors(waiting('a.example.com')), [])
    assert.deepEqual(errors(waiting('', 'example.com', 'A.b.c')), [
      'metadata.initializers.pending[0].name: Required value',
      'metadata.initializers.pending[1].name: Invalid value: "example.com": should be a domain with at least three segments separated by dots',
      'metadata.initializers.pending[2].name: Invalid value: "A.b.c": a lowercase RFC 1123 subdomain must consist of lower case ' +
        "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for " +
        "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ])
  })

  test('is required unless initialization has failed', () => {
    assert.deepEqual(errors(waiting()), [
      'metadata.initializers.pending: Invalid value: null: must be non-empty when result is not set',
    ])
    assert.deepEqual(errors({ ...waiting(), result: failure }), [])
    assert.deepEqual(errors({ ...waiting('a.b.c'), result: { ...failure, status: 'Success' } }), [
      'metadata.initializers.result.status: Invalid value: "Success": must be \'Failure\'',
    ])
    assert.equal(isEmptyInitializers({ pending: null as never }), true)
    assert.equal(isEmptyInitializers(undefined), false)
  })
})

describe('pending initializers', () => {
  const [a, b, c] = ['a.b.c', 'b.b.c', 'c.b.c']

  test('are removed one by one from the front', () => {
    assert.deepEqual(updateErrors(waiting(b, c), waiting(a, b, c)), [])
    assert.deepEqual(updateErrors(waiting(a, b), waiting(a, b)), [])
    assert.deepEqual(updateErrors(undefined, waiting(a)), [])
    const refusal = (names: string) =>
      `metadata.initializers.pending: Invalid value: ${names}: only the first pending initializer may be removed`
    assert.deepEqual(updateErrors(waiting(a), waiting(a, b)), [refusal('["a.b.c"]')])
    assert.deepEqual(updateErrors(waiting(c), waiting(a, b, c)), [refusal('["c.b.c"]')])
    assert.deepEqual(updateErrors(waiting(a, b), waiting(a)), [refusal('["a.b.c","b.b.c"]')])
    assert.deepEqual(updateErrors(undefined, waiting(a, b)), [refusal('[]')])
  })

  test('cannot be added after initialization', () => {
    assert.deepEqual(updateErrors(waiting(a), undefined), [
      'metadata.initializers: Invalid value: null: field is immutable once initialization has completed',
    ])
    assert.deepEqual(updateErrors(undefined, undefined), [])
  })

  test('can fail once, and the failure is final', () => {
    assert.deepEqual(updateErrors({ ...waiting(a), result: failure }, waiting(a)), [])
    assert.deepEqual(updateErrors({ ...waiting(), result: failure }, waiting(a)), [])
    assert.deepEqual(updateErrors(waiting(a), { ...waiting(a), result: failure }), [
      'metadata.initializers.result: Invalid value: null: field is immutable',
    ])
    assert.deepEqual(updateErrors({ ...waiting(a), result: { ...failure, status: 'Success' } }, waiting(a)), [
      'metadata.initializers.result.status: Invalid value: "Success": must be \'Failure\'',
    ])
  })
})
