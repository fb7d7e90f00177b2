import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../api/errors.js'
import { listOptions, parseRevision } from './list-options.js'

const refusal = (query: string): string => {
  try {
    listOptions(new URLSearchParams(query))
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return `${error.code} ${error.message}`
  }
  return 'accepted'
}

const match = 'resourceVersionMatch: Forbidden: resourceVersionMatch'
const invalid = '422 ListOptions.meta.k8s.io "" is invalid: '

describe('the options of a list', () => {
  test('are read from the query', () => {
    const options = listOptions(
      new URLSearchParams(
        'labelSelector=a=b&fieldSelector=c!=d&limit=%2B7&timeoutSeconds=-3&continue=x&allowWatchBookmarks=&includeUninitialized=1',
      ),
    )
    const { labels, fields, ...rest } = options
    assert.deepEqual([labels.toString(), fields.toString()], ['a=b', 'c!=d'])
    assert.deepEqual(rest, {
      limit: 7,
      timeoutSeconds: -3,
      continueToken: 'x',
      allowBookmarks: true,
      resourceVersion: '',
      resourceVersionMatch: '',
      sendInitialEvents: undefined,
      includeUninitialized: true,
    })
  })

  test('are rejected if malformed: numbers before selectors', () => {
    assert.equal(refusal('limit=abc'), '400 strconv.ParseInt: parsing "abc": invalid syntax')
    assert.equal(refusal('limit='), '400 strconv.ParseInt: parsing "": invalid syntax')
    assert.equal(
      refusal('limit=9223372036854775808'),
      '400 strconv.ParseInt: parsing "9223372036854775808": value out of range',
    )
    assert.equal(refusal('limit=x&timeoutSeconds=soon'), '400 strconv.ParseInt: parsing "soon": invalid syntax')
    assert.equal(
      refusal('fieldSelector=x&labelSelector=,&limit=y'),
      '400 strconv.ParseInt: parsing "y": invalid syntax',
    )
    assert.equal(
      refusal('fieldSelector=x&labelSelector=,'),
      "400 found ',', expected: !, identifier, or 'end of string'",
    )
    assert.equal(refusal('fieldSelector=x'), "400 invalid selector: 'x'; can't understand 'x'")
  })

  test('are rejected in combinations that a list does not allow', () => {
    const cases: Readonly<Record<string, string>> = {
      'resourceVersionMatch=Exact': `${match} is forbidden unless resourceVersion is provided`,
      'resourceVersion=0&resourceVersionMatch=Exact': `${match} "exact" is forbidden for resourceVersion "0"`,
      'resourceVersion=5&resourceVersionMatch=Roughly':
        'resourceVersionMatch: Unsupported value: "Roughly": supported values: "Exact", "NotOlderThan", ""',
      'sendInitialEvents=false': 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
      'continue=x&resourceVersionMatch=NotOlderThan': `[${match} is forbidden unless resourceVersion is provided, ${match} is forbidden when continue is provided]`,
    }
    for (const [query, message] of Object.entries(cases)) assert.equal(refusal(query), invalid + message, query)
  })

  test('are rejected in combinations that a watch does not allow', () => {
    const needed =
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    const cases: Readonly<Record<string, string>> = {
      'sendInitialEvents=true': needed,
      'sendInitialEvents=true&resourceVersionMatch=Exact': `[${needed}, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]`,
      'resourceVersionMatch=NotOlderThan': `${match} is forbidden for watch unless sendInitialEvents is provided`,
      'continue=abc': `${match} is forbidden when continue is provided`,
    }
    for (const [query, message] of Object.entries(cases))
      assert.equal(refusal(`watch=1&${query}`), invalid + message, query)
    assert.equal(refusal('watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan'), 'accepted')
    assert.equal(
      refusal('watch=false&sendInitialEvents=1'),
      `${invalid}sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list`,
    )
  })
})

describe('a resource version', () => {
  test('is an unsigned number, or empty', () => {
    assert.deepEqual(['', '0', '007', '18446744073709551615'].map(parseRevision), [0, 0, 7, 2 ** 64])
    const wrong = (text: string) => `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": `
    assert.throws(() => parseRevision('-1'), { message: `${wrong('-1')}invalid syntax` })
    assert.throws(() => parseRevision('18446744073709551616'), {
      message: `${wrong('18446744073709551616')}value out of range`,
    })
  })
})
