import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'
import type { IngressClass } from './ingress-class.js'

const kind = new KindHarness<IngressClass>('networking/v1.IngressClass')
const controller = 'example.com/a'
const parameters = { kind: 'Config', name: 'x' }

test('parameters are of the whole cluster', () => {
  assert.equal(kind.create({ spec: { controller, parameters } }).object.spec.parameters!.scope, 'Cluster')
})

test('a class names its controller', () => {
  assert.deepEqual(kind.create({ spec: {} }).errors, ['spec.controller: Required value'])
  assert.deepEqual(kind.create({ spec: { controller: `example.com/${'a'.repeat(239)}` } }).errors, [
    'spec.controller: Too long: may not be more than 250 bytes',
  ])
})

test('parameters stand where their scope says', () => {
  const wrong = (more: object) => kind.create({ spec: { controller, parameters: { ...parameters, ...more } } }).errors
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
  const old = kind.create({ spec: { controller } }).object
  assert.deepEqual(kind.update(old, { spec: { controller: 'example.com/b' } }).errors, [
    'spec.controller: Invalid value: "example.com/b": field is immutable',
  ])
  assert.deepEqual(kind.update(old, { spec: { parameters } }).errors, [])
})

test('the table shows controller and parameters', () => {
  const cells = (spec: object) => kind.row(kind.create({ spec: { controller, ...spec } }).object).Parameters
  assert.equal(cells({}), '<none>')
  assert.equal(cells({ parameters }), 'Config/x')
  assert.equal(cells({ parameters: { ...parameters, apiGroup: 'example.com' } }), 'Config.example.com/x')
})
