import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../declaration.js'
import { namePath } from './field-set/field-set.js'
import { parentManagedFields, type ScaleMapping, scaleManagedFields } from './scale.js'

const mapping: ScaleMapping = {
  apiVersion: 'apps/v1',
  replicas: new Map([
    ['apps/v1', namePath('spec', 'replicas')],
    ['apps/v2', namePath('spec', 'count')],
    ['apps/v3', undefined],
  ]),
}
/** A managed fields entry; `writer` is `'manager operation version'`. */
const entry = (writer: string, fields: string[], more = {}): JsonObject => {
  const [manager, operation, apiVersion] = writer.split(' ') as [string, string, string]
  const fieldsV1 = { 'f:spec': Object.fromEntries(fields.map((name) => [`f:${name}`, {}])) }
  return { manager, operation, apiVersion, fieldsType: 'FieldsV1', fieldsV1, ...more }
}
const scaled = { subresource: 'scale' }
const time = '2024-05-06T07:08:09Z'

test('the managers of a scale are the owners of the replicas', () => {
  const parent = [
    entry('a Apply apps/v1', ['replicas', 'selector'], { time }),
    entry('b Apply apps/v1', ['selector']),
    entry('c Apply apps/v2', ['count']),
    entry('d Apply apps/v3', ['count']),
    entry('e Apply apps/v9', ['replicas']),
    entry('f Update apps/v1', ['replicas'], scaled),
  ]
  assert.deepEqual(scaleManagedFields(parent, mapping), [
    entry('c Apply autoscaling/v1', ['replicas']),
    entry('a Apply autoscaling/v1', ['replicas'], { time }),
    entry('f Update autoscaling/v1', ['replicas'], scaled),
  ])
  assert.equal(scaleManagedFields([], mapping), undefined)
})

test('a write to the scale takes the replicas from their owners', () => {
  const parent = [
    entry('a Apply apps/v1', ['replicas', 'selector'], { time }),
    entry('b Update apps/v2', ['count', 'x']),
    entry('c Apply apps/v1', ['replicas']),
    entry('d Apply apps/v3', ['count']),
    entry('e Apply apps/v9', ['selector']),
  ]
  const scale = [entry('s Update autoscaling/v1', ['replicas'], { ...scaled, time })]
  assert.deepEqual(parentManagedFields(parent, scale, mapping), [
    entry('d Apply apps/v3', ['count']),
    entry('a Apply apps/v1', ['selector'], { time }),
    entry('b Update apps/v2', ['x']),
    entry('s Update apps/v1', ['replicas'], scaled),
  ])
})

test('an owner of the replicas that still owns them in the scale keeps its fields', () => {
  const parent = [entry('a Apply apps/v1', ['replicas', 'selector'], { time })]
  const scale = [
    entry('a Apply autoscaling/v1', ['replicas'], { time }),
    entry('a Apply autoscaling/v1', ['replicas'], scaled),
    entry('x Apply autoscaling/v1', ['other'], scaled),
  ]
  assert.deepEqual(parentManagedFields(parent, scale, mapping), [
    entry('a Apply apps/v1', ['replicas'], scaled),
    ...parent,
  ])
})
