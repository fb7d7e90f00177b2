import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrintable, quote, quoteBytes } from './quote.js'

test('plain text does not change inside the quotes', () => {
  assert.equal(quote('nginx:1.29'), '"nginx:1.29"')
  assert.equal(quote(''), '""')
  assert.equal(quote("it's <b>&</b>"), '"it\'s <b>&</b>"')
})

test('quotes, backslashes and control characters are escaped', () => {
  const cases: [string, string][] = [
    ['a"b', '"a\\"b"'],
    ['a\\b', '"a\\\\b"'],
    ['a\nb\tc\rd', '"a\\nb\\tc\\rd"'],
    ['\x07\b\f\v', '"\\a\\b\\f\\v"'],
    ['\x00\x1f\x7f', '"\\x00\\x1f\\x7f"'],
  ]
  for (const [text, quoted] of cases) assert.equal(quote(text), quoted)
})

test('printable characters of any script do not change, others are escaped by their code point', () => {
  assert.equal(quote('häßlich 日本 🚢'), '"häßlich 日本 🚢"')
  assert.equal(quote('a\u00a0b'), '"a\\u00a0b"')
  assert.equal(quote('\u200b'), '"\\u200b"')
  assert.equal(quote('\u{e0001}'), '"\\U000e0001"')
  assert.equal(quote('\ud800'), '"\ufffd"', 'half a character is the replacement character')
})

test('the ordinary space is the only printable space', () => {
  assert.equal(isPrintable(' '), true)
  assert.equal(isPrintable('\u2003'), false)
  assert.equal(isPrintable('é'), true)
  assert.equal(isPrintable('\x7f'), false)
})

test('times are quoted byte by byte', () => {
  assert.equal(quoteBytes('é"\n'), '"\\xc3\\xa9\\"\\x0a"')
  assert.equal(quoteBytes('2006-01-02'), '"2006-01-02"')
  assert.equal(quoteBytes('\x7f'), '"\x7f"')
})
