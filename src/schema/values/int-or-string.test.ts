import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ValueError } from '../value-error.js'
import { integerOf, parseIntOrString, percentage, scaledValue } from './int-or-string.js'

test('a number does not change, a percentage is scaled to the total', () => {
  assert.equal(scaledValue(3, 10, 'up'), 3)
  assert.equal(scaledValue(-3, 10, 'down'), -3)
  assert.equal(scaledValue('25%', 10, 'up'), 3)
  assert.equal(scaledValue('25%', 10, 'down'), 2)
  assert.equal(scaledValue('0%', 10, 'up'), 0)
  assert.equal(scaledValue('150%', 3, 'down'), 4)
  assert.equal(scaledValue('-50%', 3, 'down'), -2)
})

test('other strings are rejected', () => {
  const cases: Readonly<Record<string, string>> = {
    '25': 'invalid value for IntOrString: invalid type: string is not a percentage',
    http: 'invalid value for IntOrString: invalid type: string is not a percentage',
    '%': 'invalid value for IntOrString: invalid value "%": strconv.Atoi: parsing "": invalid syntax',
    'half%': 'invalid value for IntOrString: invalid value "half%": strconv.Atoi: parsing "half": invalid syntax',
    '1.5%': 'invalid value for IntOrString: invalid value "1.5%": strconv.Atoi: parsing "1.5": invalid syntax',
    '1%%': 'invalid value for IntOrString: invalid value "1%%": strconv.Atoi: parsing "1%": invalid syntax',
    '9223372036854775808%':
      'invalid value for IntOrString: invalid value "9223372036854775808%": strconv.Atoi: parsing "9223372036854775808": value out of range',
  }
  for (const [text, message] of Object.entries(cases))
    assert.throws(() => scaledValue(text, 10, 'up'), new ValueError(message), text)
})

test('the exact value is between those rounded down and up', () =>
  fc.assert(
    fc.property(fc.nat(200), fc.nat(10_000), (percent, total) => {
      const up = scaledValue(`${percent}%`, total, 'up')
      const down = scaledValue(`${percent}%`, total, 'down')
      assert.ok(down * 100 <= percent * total && percent * total <= up * 100)
      assert.ok(up - down <= 1)
    }),
  ))

test('a percentage is digits and a percent sign', () => {
  assert.equal(percentage('93%'), 93)
  for (const text of ['93', '+1%', '-1%', '1.5%', '%', '1% '] as const) assert.equal(percentage(text), undefined, text)
  assert.equal(percentage(93), undefined)
})

test('text of digits becomes a number', () => {
  assert.equal(parseIntOrString('80'), 80)
  assert.equal(parseIntOrString('-1'), -1)
  assert.equal(parseIntOrString('http'), 'http')
  assert.equal(parseIntOrString('25%'), '25%')
  assert.equal(parseIntOrString(''), '')
  assert.equal(parseIntOrString('99999999999999999999'), '99999999999999999999')
  assert.equal(integerOf('80'), 80)
  assert.equal(integerOf('http'), 0)
  assert.equal(integerOf(8080), 8080)
})
