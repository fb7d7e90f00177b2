import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindUnderTest } from '../../strategy.test.kit.js'
import type { IngressClass } from './ingress-class.js'

const kind = new KindUnderTest<IngressClass>('networking/v1.IngressClass')
const controller = 'example.com/a'
const parameters = { kind: 'Config', name: 'x' }

test('parameters are of the whole cluster', () => {
  assert.equal(kind.made({ spec: { controller, parameters } }).spec.parameters!.scope, 'Cluster')
})

test('a class names its controller', () => {
  assert.deepEqual(kind.refused({ spec: {} }), ['spec.controller: Required value'])
  assert.deepEqual(kind.refused({ spec: { controller: `example.com/${'a'.repeat(239)}` } }), [
    'spec.controller: Too long: may not be more than 250 bytes',
  ])
})

test('parameters stand where their scope says', () => {
  const wrong = (more: object) => kind.refused({ spec: { controller, parameters: { ...parameters, ...more } } })
  assert.deepEqual(wrong({ scope: 'World' }), [
    'spec.parameters.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"',
  ])
  assert.deepEqual(wrong({ scope: 'Namespace', namespace: 'a.b' }), [
    'spec.parameters.namespace: Invalid value: "a.b": must not contain dots',
  ])
  assert.deepEqual(wrong({ namespace: 'a' }), [
    "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
  ])
})

test('a class keeps its controller', () => {
  const old = kind.made({ spec: { controller } })
  assert.deepEqual(kind.refusedChange(old, { spec: { controller: 'example.com/b' } }), [
    'spec.controller: Invalid value: "example.com/b": field is immutable',
  ])
  assert.deepEqual(kind.refusedChange(old, { spec: { parameters } }), [])
})

test('the table shows controller and parameters', () => {
  const cells = (spec: object) => kind.row(kind.made({ spec: { controller, ...spec } })).Parameters
  assert.equal(cells({}), '<none>')
  assert.equal(cells({ parameters }), 'Config/x')
  assert.equal(cells({ parameters: { ...parameters, apiGroup: 'example.com' } }), 'Config.example.com/x')
})
