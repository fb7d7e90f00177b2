import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ValueError } from '../../schema/value-error.js'
import { escapeValue, type FieldGetter, FieldSelector, unknownField, unsupportedField } from './field-selector.js'

describe('a field selector', () => {
  test('is written back in canonical form', () => {
    const cases: Readonly<Record<string, string>> = {
      '': '',
      ',': '',
      '=': '',
      'metadata.name=a': 'metadata.name=a',
      'metadata.name==a': 'metadata.name=a',
      'status.phase!=Failed,metadata.name=a': 'metadata.name=a,status.phase!=Failed',
      'spec.nodeName=': 'spec.nodeName=',
      'a=b\\=c\\,d\\\\e': 'a=b\\=c\\,d\\\\e',
    }
    for (const [text, form] of Object.entries(cases)) assert.equal(FieldSelector.parse(text).toString(), form, text)
  })

  test('is rejected where it makes no sense', () => {
    const cases: Readonly<Record<string, string>> = {
      'metadata.name': "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
      'metadata.name in (a,b)': "invalid selector: 'metadata.name in (a,b)'; can't understand 'b)'",
      'a=b=c': 'invalid field selector: unescaped character in value: 61',
      'a!==b': 'invalid field selector: unescaped character in value: 61',
      'a=b\\c': 'invalid field selector: invalid escape sequence: \\c',
      'a=b\\': 'invalid field selector: invalid escape sequence: \\',
      'a=\\🚢': 'invalid field selector: invalid escape sequence: \\🚢',
    }
    for (const [text, message] of Object.entries(cases))
      assert.throws(() => FieldSelector.parse(text), new ValueError(message), text)
  })

  test('has requirements, sorted', () => {
    assert.deepEqual(FieldSelector.parse('b!=1,a==x\\,y').requirements, [
      { field: 'a', operator: '=', value: 'x,y' },
      { field: 'b', operator: '!=', value: '1' },
    ])
  })

  test('tells which value a field must have', () => {
    const selector = FieldSelector.parse('metadata.name=a,status.phase!=Failed')
    assert.equal(selector.exactValue('metadata.name'), 'a')
    assert.equal(selector.exactValue('status.phase'), undefined)
    assert.equal(selector.isEmpty, false)
    assert.equal(FieldSelector.parse('').isEmpty, true)
  })

  test('chooses objects by the fields that their kind knows', () => {
    interface Thing {
      readonly name: string
      readonly phase?: string
    }
    const fields: Readonly<Record<string, FieldGetter<Thing>>> = {
      name: (thing) => thing.name,
      phase: (thing) => thing.phase ?? '',
    }
    const fieldValue = (field: string): FieldGetter<Thing> => {
      const read = fields[field]
      if (!read) throw unsupportedField(field)
      return read
    }
    const chosen = (text: string, thing: Thing) => FieldSelector.parse(text).matcher(fieldValue)(thing)
    assert.equal(chosen('name=a,phase!=Failed', { name: 'a' }), true)
    assert.equal(chosen('name=a,phase!=Failed', { name: 'a', phase: 'Failed' }), false)
    assert.equal(chosen('phase=', { name: 'a' }), true)
    assert.equal(chosen('', { name: 'a' }), true)
    assert.throws(
      () => chosen('spec.containers=a', { name: 'a' }),
      new ValueError('field label not supported: spec.containers'),
    )
  })

  test('of a kind without fields of its own names those that all kinds have', () =>
    assert.equal(
      unknownField('data.k').message,
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ))
})

describe('laws of field selectors', () => {
  const fields = fc.stringMatching(/^[a-z.]{1,8}$/)

  test('any value can be written, and is read back', () =>
    fc.assert(
      fc.property(fields, fc.string({ unit: 'binary' }), fc.boolean(), (field, value, isEqual) => {
        const text = `${field}${isEqual ? '=' : '!='}${escapeValue(value)}`
        const selector = FieldSelector.parse(text)
        assert.deepEqual(selector.requirements, [{ field, operator: isEqual ? '=' : '!=', value }])
        assert.equal(selector.toString(), text)
      }),
    ))

  test('any text is a selector, which asks for the same when read back, or a ValueError', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[ab\\,=!]{0,10}$/)), (text) => {
        try {
          const selector = FieldSelector.parse(text)
          assert.deepEqual(new Set(FieldSelector.parse(`${selector}`).requirements), new Set(selector.requirements))
        } catch (error) {
          assert.ok(error instanceof ValueError, String(error))
        }
      }),
      { numRuns: 1000 },
    ))
})
