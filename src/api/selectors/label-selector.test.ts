import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fieldPath } from '../../schema/field-path.js'
import { ValueError } from '../../schema/value-error.js'
import type { Operator, Requirement } from './label-requirement.js'
import { LabelSelector, labelSelectorText } from './label-selector.js'
import { validateLabelSelector } from './label-selector-validation.js'

const nameForm =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueForm =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

describe('a label selector that is written', () => {
  test('is written back in canonical form', () => {
    const cases: Readonly<Record<string, string>> = {
      '': '',
      '  ': '',
      'app=shop': 'app=shop',
      'app == shop': 'app==shop',
      'b=1,a=2': 'a=2,b=1',
      'app!=shop': 'app!=shop',
      'env in (prod,dev)': 'env in (dev,prod)',
      'env notin ( a , b )': 'env notin (a,b)',
      'env in (a,a)': 'env in (a)',
      app: 'app',
      '!app': '!app',
      '! app': '!app',
      'size>3,size<7': 'size>3,size<7',
      'app=': 'app=',
      'app==,b': 'app==,b',
      'app in ()': 'app in ()',
      'app in (,)': 'app in ()',
      'app in (a,)': 'app in (,a)',
      'app in (,a)': 'app in (,a)',
      'app in (a,,b)': 'app in (,a,b)',
      'in in (in,notin)': 'in in (in,notin)',
      'notin=in': 'notin=in',
      'a\t=\nb': 'a=b',
      'example.com/tier=front': 'example.com/tier=front',
    }
    for (const [text, written] of Object.entries(cases))
      assert.equal(LabelSelector.parse(text).toString(), written, text)
  })

  test('is rejected at the first token that does not fit', () => {
    const cases: Readonly<Record<string, string>> = {
      'env in prod': "unable to parse requirement: found 'prod' expected: '('",
      'a=b=c': "found '=', expected: ',' or 'end of string'",
      ',': "found ',', expected: !, identifier, or 'end of string'",
      '=a': "found '=', expected: !, identifier, or 'end of string'",
      '(': "found '(', expected: !, identifier, or 'end of string'",
      'a,': "found '', expected: identifier after ','",
      'a,,b': "found ',', expected: identifier after ','",
      'a,=b': "found '=', expected: identifier after ','",
      'a b': "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
      'a!b': "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt",
      'a)': "unable to parse requirement: found ')', expected: in, notin, =, ==, !=, gt, lt",
      '!': "unable to parse requirement: found '', expected: identifier",
      '!=a': "found '!=', expected: !, identifier, or 'end of string'",
      '!!a': "unable to parse requirement: found '!', expected: identifier",
      '!a=b': "found '=', expected: ',' or 'end of string'",
      'a=!': "unable to parse requirement: found '!', expected: identifier",
      'a=(b)': "unable to parse requirement: found '(', expected: identifier",
      'a in': "unable to parse requirement: found '' expected: '('",
      'a in (': "unable to parse requirement: found '', expected: ',', ')' or identifier",
      'a in (=': "unable to parse requirement: found '=', expected: ',', ')' or identifier",
      'a in (b': "unable to parse requirement: found '', expected: ',' or ')'",
      'a in (b c)': "unable to parse requirement: found 'c', expected: ',' or ')'",
      'a in (b,': "unable to parse requirement: found '', expected: ',', or identifier",
      'a in (b,=)': "unable to parse requirement: found '=', expected: ',', or identifier",
      'a in (b) c': "found 'c', expected: ',' or 'end of string'",
      'a>': `unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
      'a>b': `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
      'a>9223372036854775808': `unable to parse requirement: values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer`,
      '-a=b': `unable to parse requirement: <nil>: Invalid value: "-a": name part ${nameForm}`,
      ['x'.repeat(64)]:
        `unable to parse requirement: <nil>: Invalid value: "${'x'.repeat(64)}": name part must be no more than 63 bytes`,
      'a/=b': `unable to parse requirement: <nil>: Invalid value: "a/": name part must be non-empty; name part ${nameForm}`,
      [`app=${'v'.repeat(64)}`]: `unable to parse requirement: values[0][app]: Invalid value: "${'v'.repeat(64)}": must be no more than 63 bytes`,
      'app in (-a,b-)': `unable to parse requirement: [values[0][app]: Invalid value: "-a": ${valueForm}, values[1][app]: Invalid value: "b-": ${valueForm}]`,
    }
    for (const [text, message] of Object.entries(cases))
      assert.throws(() => LabelSelector.parse(text), new ValueError(message), text)
  })

  test('chooses objects by their labels', () => {
    const labels = { app: 'shop', env: 'prod', empty: '', size: '5', big: '9223372036854775807' }
    const yes = [
      '',
      'app',
      'app=shop',
      'app==shop,env=prod',
      'env in (prod,dev)',
      'env!=dev',
      'none!=x',
      'none notin (a)',
    ]
    yes.push('!none', 'empty=', 'empty', 'empty in ()', 'size>4', 'size<6', 'app=shop,env,size>1,!none')
    yes.push('big>9223372036854775806', 'env notin (dev,test)')
    const no = [
      'none',
      'app=blog',
      'app=shop,env=dev',
      'env in (dev)',
      'env!=prod',
      '!app',
      'env notin (prod)',
      'none=',
    ]
    no.push('size>5', 'size<5', 'app>1', 'none>1', 'big<9223372036854775807', 'empty!=', 'none in ()', 'a,b,c')
    for (const text of yes) assert.equal(LabelSelector.parse(text).matches(labels), true, text)
    for (const text of no) assert.equal(LabelSelector.parse(text).matches(labels), false, text)
  })

  test('takes objects without labels for objects with none', () => {
    assert.equal(LabelSelector.parse('app').matches(undefined), false)
    assert.equal(LabelSelector.parse('!app').matches(undefined), true)
    assert.equal(LabelSelector.parse('').matches(undefined), true)
  })

  test('is not fooled by what every JavaScript object has', () => {
    assert.equal(LabelSelector.parse('constructor').matches({}), false)
    assert.equal(LabelSelector.parse('!toString').matches({}), true)
    assert.equal(LabelSelector.parse('constructor=a').matches({ constructor: 'a' } as never), true)
  })

  test('tells what it asks for', () => {
    const selector = LabelSelector.parse('app=shop,env in (prod),tier in (a,b),!old')
    assert.equal(selector.exactValue('app'), 'shop')
    assert.equal(selector.exactValue('env'), 'prod')
    assert.equal(selector.exactValue('tier'), undefined)
    assert.equal(selector.exactValue('old'), undefined)
    assert.equal(selector.exactValue('none'), undefined)
    assert.equal(selector.isEmpty, false)
    assert.equal(LabelSelector.parse('').isEmpty, true)
  })
})

describe('a label selector in an object', () => {
  test('chooses nothing if there is none, and everything if it is empty', () => {
    assert.equal(LabelSelector.from(undefined).matches({ app: 'a' }), false)
    assert.equal(LabelSelector.from(undefined).isEmpty, false)
    assert.equal(LabelSelector.from({}).matches({ app: 'a' }), true)
    assert.equal(LabelSelector.from({ matchLabels: {}, matchExpressions: [] }).isEmpty, true)
  })

  test('asks for its labels and its expressions together', () => {
    const selector = LabelSelector.from({
      matchLabels: { tier: 'front', app: 'shop' },
      matchExpressions: [
        { key: 'env', operator: 'NotIn', values: ['test', 'dev'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'zone', operator: 'Exists' },
        { key: 'arch', operator: 'In', values: ['arm64', 'amd64'] },
      ],
    })
    assert.equal(selector.toString(), 'app=shop,arch in (amd64,arm64),env notin (dev,test),!old,tier=front,zone')
    assert.equal(selector.matches({ app: 'shop', tier: 'front', arch: 'arm64', zone: '' }), true)
    assert.equal(selector.matches({ app: 'shop', tier: 'front', arch: 'arm64', zone: '', env: 'dev' }), false)
  })

  test('cannot be used if it is not valid', () => {
    const refused = (expression: { key: string; operator: string; values?: string[] }, message: string) =>
      assert.throws(() => LabelSelector.from({ matchExpressions: [expression] }), new ValueError(message))
    refused({ key: 'a', operator: 'Maybe' }, '"Maybe" is not a valid label selector operator')
    refused(
      { key: 'a', operator: 'In' },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    )
    refused(
      { key: 'a', operator: 'Exists', values: ['b'] },
      'values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
    )
    refused({ key: 'a b', operator: 'Exists' }, `key: Invalid value: "a b": name part ${nameForm}`)
    assert.throws(
      () => LabelSelector.from({ matchLabels: { a: 'b!' } }),
      new ValueError(`values[0][a]: Invalid value: "b!": ${valueForm}`),
    )
  })

  test('shows in tables', () => {
    assert.equal(labelSelectorText({ matchLabels: { app: 'a' } }), 'app=a')
    assert.equal(labelSelectorText(undefined), '<none>')
    assert.equal(labelSelectorText({}), '<none>')
    assert.equal(labelSelectorText({ matchExpressions: [{ key: 'a', operator: 'Maybe' }] }), '<error>')
  })

  test('is validated field by field', () => {
    const problems = (selector: Parameters<typeof validateLabelSelector>[0], leniency = {}) =>
      validateLabelSelector(selector, fieldPath('spec', 'selector'), leniency).map(String)
    const wrong = {
      matchLabels: { 'a b': 'c!' },
      matchExpressions: [
        { key: 'app', operator: 'In' },
        { key: 'app', operator: 'Exists', values: ['x'] },
        { key: 'app', operator: 'Maybe', values: ['y!'] },
        { key: '', operator: 'Exists' },
      ],
    }
    assert.deepEqual(problems(wrong), [
      `spec.selector.matchLabels: Invalid value: "a b": name part ${nameForm}`,
      `spec.selector.matchLabels: Invalid value: "c!": ${valueForm}`,
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "Maybe": not a valid selector operator',
      `spec.selector.matchExpressions[2].values[0]: Invalid value: "y!": ${valueForm}`,
      'spec.selector.matchExpressions[3].key: Invalid value: "": name part must be non-empty',
      `spec.selector.matchExpressions[3].key: Invalid value: "": name part ${nameForm}`,
    ])
    assert.deepEqual(problems(undefined), [])
    assert.deepEqual(problems({ matchLabels: { app: 'a' } }), [])
    const old = { matchExpressions: [{ key: 'app', operator: 'Maybe', values: ['y!'] }] }
    assert.deepEqual(problems(old, { anyValue: true, anyOperator: true }), [])
  })
})

test('a selector made of labels asks for exactly these', () => {
  const selector = LabelSelector.ofLabels({ b: '1', a: '2' })
  assert.equal(selector.toString(), 'a=2,b=1')
  assert.equal(selector.matches({ a: '2', b: '1', c: '3' }), true)
  assert.equal(selector.matches({ a: '2' }), false)
})

const key = fc.constantFrom('a', 'b', 'in', 'notin', 'example.com/c')
const value = fc.constantFrom('', '1', '2', '30', 'x', 'in')
const labelSets = fc.dictionary(key, value)
const requirements: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom<Operator>('exists', '!'), values: fc.constant([]) }),
  fc.record({ key, operator: fc.constantFrom<Operator>('=', '==', '!='), values: fc.tuple(value) }),
  fc.record({
    key,
    operator: fc.constantFrom<Operator>('in', 'notin'),
    values: fc.uniqueArray(value, { minLength: 1 }),
  }),
  fc.record({
    key,
    operator: fc.constantFrom<Operator>('gt', 'lt'),
    values: fc.tuple(fc.constantFrom('0', '2', '30')),
  }),
)

/** What each operator means, written down a second time and without any care for speed. */
function holds({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const label = Object.hasOwn(labels, key) ? labels[key] : undefined
  const number = label !== undefined && /^-?\d+$/.test(label) ? Number(label) : Number.NaN
  if (operator === 'exists') return label !== undefined
  if (operator === '!') return label === undefined
  if (operator === 'gt') return number > Number(values[0])
  if (operator === 'lt') return number < Number(values[0])
  const isIn = label !== undefined && values.includes(label)
  return operator === 'notin' || operator === '!=' ? !isIn : isIn
}

function written({ key, operator, values }: Requirement): string {
  if (operator === 'exists' || operator === '!') return operator === '!' ? `!${key}` : key
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.join(',')})`
  return `${key}${operator === 'gt' ? '>' : operator === 'lt' ? '<' : operator}${values[0]}`
}

describe('laws of label selectors', () => {
  test('what is written back is read the same, and chooses the same', () =>
    fc.assert(
      fc.property(fc.array(requirements, { maxLength: 4 }), labelSets, (list, labels) => {
        const selector = LabelSelector.parse(list.map(written).join(', '))
        assert.equal(LabelSelector.parse(selector.toString()).toString(), selector.toString())
        assert.equal(
          selector.matches(labels),
          list.every((one) => holds(one, labels)),
        )
      }),
    ))

  test('any text is a selector or a ValueError', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-c!=,()<> in]{0,14}$/)), (text) => {
        try {
          LabelSelector.parse(text)
        } catch (error) {
          assert.ok(error instanceof ValueError, String(error))
        }
      }),
      { numRuns: 1000 },
    ))
})
