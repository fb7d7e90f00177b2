import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject } from '../../declaration.js'
import { distinctToy, toyType } from '../toy-kind.test.kit.js'
import { shapeOf } from './shape-of.js'
import { configurationProblems, problemText } from './validation.js'

const toy = shapeOf(toyType)

test('each problem of a configuration has a path', () => {
  for (const [configuration, problem] of [
    [{ titel: 'x' }, '.titel: field not declared in schema'],
    [{ inner: { c: 1 } }, '.inner.c: field not declared in schema'],
    [{ title: 5 }, '.title: expected string, got &value.valueUnstructured{Value:5}'],
    [{ title: 1.5 }, '.title: expected string, got &value.valueUnstructured{Value:1.5}'],
    [{ title: true }, '.title: expected string, got &value.valueUnstructured{Value:true}'],
    [
      { title: { b: [1, 'x', null], a: {} } },
      '.title: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":map[string]interface {}{}, "b":[]interface {}{1, "x", interface {}(nil)}}}',
    ],
    [{ ports: [{ port: 'x' }] }, '.ports[port="x",protocol="TCP"].port: expected numeric (int or float), got string'],
    [
      { ports: [{ port: 1, weights: { w: {} } }] },
      '.ports[port=1,protocol="TCP"].weights.w: expected numeric (int or float), got map[string]interface {}',
    ],
    [{ at: { a: [1, null] } }, '.at: expected any scalar, got &{map[a:[1 <nil>]]}'],
    [{ args: 'x' }, '.args: expected list, got &{x}'],
    [{ args: ['a', 2] }, '.args[1]: expected string, got &value.valueUnstructured{Value:2}'],
    [{ options: ['x'] }, '.options: expected map, got &{[x]}'],
    [{ inner: 7 }, '.inner: expected map, got &{7}'],
    [{ tags: ['a', 'b', 'a'] }, '.tags: duplicate entries for key [="a"]'],
    [
      { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
      '.ports: duplicate entries for key [port=1,protocol="TCP"]',
    ],
    [{ tags: [null] }, ".tags: element 0: associative list without keys has an element that's an explicit null"],
    [{ ports: [{ port: 1 }, 'x'] }, '.ports: element 1: associative list with keys may not have non-map elements'],
    [
      { named: [{ b: 1 }] },
      `.named: element 0: associative list with keys has an element that omits all key fields ["a"] (and doesn't have default values for any key fields)`,
    ],
  ] as [JsonObject, string][])
    assert.deepEqual(configurationProblems(toy, configuration), [problem])
  assert.deepEqual(configurationProblems(toy, 'x'), ['expected map, got &{x}'])
})

test('several problems are printed on separate lines', () => {
  const problems = configurationProblems(toy, { title: 1, inner: { a: 2, zz: 1 }, args: {} })
  assert.equal(
    problemText(problems),
    [
      'errors:',
      '  .title: expected string, got &value.valueUnstructured{Value:1}',
      '  .inner.a: expected string, got &value.valueUnstructured{Value:2}',
      '  .inner.zz: field not declared in schema',
      '  .args: expected list, got &{map[]}',
    ].join('\n'),
  )
})

test('objects of the kind have no problems, whatever their untyped fields contain', () => {
  fc.assert(fc.property(distinctToy, (value) => assert.deepEqual(configurationProblems(toy, value), [])))
  assert.deepEqual(configurationProblems(toy, { title: null, tags: null, inner: null, free: { a: [[{}]] } }), [])
})

test('validation accepts any JSON without crashing', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('title', 'tags', 'ports', 'inner', 'options', '__proto__'), fc.jsonValue()),
      (value) => {
        for (const problem of configurationProblems(toy, value as JsonObject)) assert.match(problem, /^\.\w+/)
      },
    ),
  )
})
