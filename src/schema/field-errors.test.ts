import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as field from './field-errors.js'
import { FieldPath, fieldPath } from './field-path.js'

const path = fieldPath('spec', 'replicas')

describe('the path of a field', () => {
  test('names fields, elements and keys', () => {
    assert.equal(`${fieldPath('metadata')}`, 'metadata')
    assert.equal(
      `${fieldPath('spec').child('containers').index(0).child('env').index(12).child('name')}`,
      'spec.containers[0].env[12].name',
    )
    assert.equal(`${fieldPath('metadata', 'annotations').key('example.com/a')}`, 'metadata.annotations[example.com/a]')
    assert.equal(`${fieldPath('spec').child('template', 'spec', 'volumes')}`, 'spec.template.spec.volumes')
  })

  test('can be empty: it prints as <nil>, and its children are roots', () => {
    assert.equal(`${FieldPath.none}`, '<nil>')
    assert.equal(`${FieldPath.none.child('values').index(0).key('app')}`, 'values[0][app]')
    assert.equal(`${FieldPath.none.index(3)}`, '[3]')
  })

  test('without a name is an empty subscript', () => {
    assert.equal(`${fieldPath('')}`, '[]')
    assert.equal(`${fieldPath('').child('a')}`, '[].a')
  })

  test('is not modified when children are derived from it', () => {
    const spec = fieldPath('spec')
    spec.child('a').child('b')
    assert.equal(`${spec}`, 'spec')
  })
})

test('each type of error has its own reason and message', () => {
  const cases: [field.FieldError, field.FieldErrorReason, string][] = [
    [field.required(path), 'FieldValueRequired', 'Required value'],
    [field.required(path, 'must be set'), 'FieldValueRequired', 'Required value: must be set'],
    [
      field.invalid(path, -1, 'must be greater than or equal to 0'),
      'FieldValueInvalid',
      'Invalid value: -1: must be greater than or equal to 0',
    ],
    [field.invalid(path, 'x', ''), 'FieldValueInvalid', 'Invalid value: "x"'],
    [field.invalid(path, field.omitted, 'no'), 'FieldValueInvalid', 'Invalid value: no'],
    [
      field.typeInvalid(path, 'x', 'must be of type integer'),
      'FieldValueTypeInvalid',
      'Invalid value: "x": must be of type integer',
    ],
    [
      field.notSupported(path, 'C', ['B', 'A']),
      'FieldValueNotSupported',
      'Unsupported value: "C": supported values: "B", "A"',
    ],
    [field.notSupported(path, 'C', []), 'FieldValueNotSupported', 'Unsupported value: "C"'],
    [field.forbidden(path, 'not here'), 'FieldValueForbidden', 'Forbidden: not here'],
    [field.duplicate(path, 'a'), 'FieldValueDuplicate', 'Duplicate value: "a"'],
    [field.duplicate(path, 'a', 'must be unique'), 'FieldValueDuplicate', 'Duplicate value: "a": must be unique'],
    [field.notFound(path, 'scratch'), 'FieldValueNotFound', 'Not found: "scratch"'],
    [field.tooLong(path, 262144), 'FieldValueTooLong', 'Too long: may not be more than 262144 bytes'],
    [field.tooLong(path, 1), 'FieldValueTooLong', 'Too long: may not be more than 1 byte'],
    [field.tooLong(path, 8, 'character'), 'FieldValueTooLong', 'Too long: may not be more than 8 characters'],
    [field.tooShort(path, 2), 'FieldValueTooShort', 'Too short: must be at least 2 characters'],
    [field.tooMany(path, 3, 2), 'FieldValueTooMany', 'Too many: 3: must have at most 2 items'],
    [field.tooMany(path, 3, 1), 'FieldValueTooMany', 'Too many: 3: must have at most 1 item'],
    [field.tooFew(path, 0, 1), 'FieldValueTooFew', 'Too few: 0: must have at least 1 item'],
    [field.internalError(path, 'out of paper'), 'InternalError', 'Internal error: out of paper'],
  ]
  for (const [error, reason, body] of cases) {
    assert.equal(error.reason, reason)
    assert.equal(error.body, body)
    assert.equal(`${error}`, `spec.replicas: ${body}`)
  }
})

test('strings print quoted, other values as JSON', () => {
  const cases: [unknown, string][] = [
    ['a "quoted" word\n', '"a \\"quoted\\" word\\n"'],
    ['<b>', '"<b>"'],
    [0, '0'],
    [1.5, '1.5'],
    [1e21, '1e+21'],
    [0.00001, '1e-05'],
    [-1e-12, '-1e-12'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'null'],
    [[], '[]'],
    [['orphan', 'foregroundDeletion'], '["orphan","foregroundDeletion"]'],
    [{}, '{}'],
    [{ matchLabels: { app: 'a<b>&\u2028' } }, '{"matchLabels":{"app":"a\\u003cb\\u003e\\u0026\\u2028"}}'],
  ]
  for (const [value, shown] of cases) assert.equal(field.invalid(path, value, 'no').body, `Invalid value: ${shown}: no`)
})

test('several messages are joined without repetitions', () => {
  assert.equal(field.aggregateMessages(['a']), 'a')
  assert.equal(field.aggregateMessages(['a', 'b']), '[a, b]')
  assert.equal(field.aggregateMessages(['a', 'b', 'a']), '[a, b]')
  assert.equal(field.aggregateMessages(['a', 'a']), 'a')
})

test('invalidForEach returns one error for each message', () =>
  assert.deepEqual(field.invalidForEach(path, 'x', ['one', 'two']).map(String), [
    'spec.replicas: Invalid value: "x": one',
    'spec.replicas: Invalid value: "x": two',
  ]))
