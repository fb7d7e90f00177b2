import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ValueError } from '../value-error.js'
import { canonicalQuantity, Quantity } from './quantity.js'
import type { QuantityFormat } from './quantity-text.js'

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const wrongSuffix = "unable to parse quantity's suffix"
const wrongNumber = 'unable to parse numeric part of quantity'

function canonical(cases: Readonly<Record<string, string>>): void {
  for (const [text, expected] of Object.entries(cases)) {
    assert.equal(canonicalQuantity(text), expected, `canonical form of ${text}`)
    assert.equal(Quantity.parse(text).toString(), expected, `${text}, parsed and printed`)
  }
}

describe('the canonical form of a quantity', () => {
  test('has the largest suffix that leaves no fraction', () =>
    canonical({ '1000m': '1', '1000': '1k', '1500': '1500', '100000k': '100M', '1000000k': '1G', '1000Ki': '1000Ki' }))

  test('has no fraction', () =>
    canonical({ '0.10': '100m', '.5': '500m', '1.5': '1500m', '0.0001': '100u', '1.5Gi': '1536Mi', '0.5Ti': '512Gi' }))

  test('keeps the format: decimal, binary or exponent', () =>
    canonical({
      '1024Mi': '1Gi',
      '2147483648': '2147483648',
      '1500M': '1500M',
      '1e9': '1e9',
      '10e2': '1e3',
      '0.1E1': '1',
    }))

  test('is decimal for a binary amount below the smallest unit or with a fraction', () =>
    canonical({ '0.5Ki': '512', '0.1Ki': '102400m', '1.1Ki': '1126400m', '0.0001Ki': '102400u' }))

  test('keeps text that passes the superficial check', () =>
    canonical({
      '010': '010',
      '+5': '+5',
      '1.500': '1.500',
      '+5Mi': '+5Mi',
      '1.Ki': '1.Ki',
      '1E3': '1E3',
      '1e+3': '1e+3',
    }))

  test('does not keep text that fails the superficial check', () =>
    canonical({ '010000': '10k', '+8Mi': '8Mi', '+1Pi': '1Pi', '0.100': '100m', '-0': '0', '000': '0', '+1000': '1k' }))

  test('keeps its sign', () =>
    canonical({ '-0.5': '-500m', '-1.5Gi': '-1536Mi', '-1000': '-1k', '-5': '-5', '-0.1n': '-1n', '-1e3': '-1e3' }))

  test('rounds amounts finer than a billionth up', () =>
    canonical({ '0.1n': '1n', '1.0000000001': '1000000001n', '1e-10': '1e-9', '1e-1000000000': '1e-9', '0e-20': '0' }))

  test('is capped for binary amounts only', () =>
    canonical({
      '8Ei': '9223372036854775807',
      '100000Ei': '9223372036854775807',
      '-9Ei': '-9223372036854775807',
      '7Ei': '7Ei',
      '9223372036854775807000': '9223372036854775807k',
      '99999999999999999999': '99999999999999999999',
    }))

  test('has an exponent beyond the largest suffix', () =>
    canonical({ '1000E': '1e21', '1e1000000000': '10e999999999', '1e2147483648': '1e-9' }))

  test('has no white space around it', () => {
    assert.equal(canonicalQuantity(' 5\u00a0'), '5')
    assert.throws(() => canonicalQuantity('5 Gi'), new ValueError(wrongFormat))
    assert.throws(() => canonicalQuantity('5\n'), new ValueError(wrongFormat))
    assert.throws(() => Quantity.parse(' 5'), new ValueError(wrongFormat))
  })

  test('of a sign, a point or a small suffix alone is zero', () =>
    canonical({ '+': '0', '-': '0', '.': '0', m: '0', Ki: '0', e5: '0' }))
})

test('malformed quantities are rejected with a reason', () => {
  const cases: Readonly<Record<string, string>> = {
    '': wrongFormat,
    abc: wrongFormat,
    '1.2.3': wrongFormat,
    '1 ': wrongFormat,
    '5Gi!': wrongFormat,
    '1,5': wrongFormat,
    '１': wrongFormat,
    '1i': wrongSuffix,
    '1K': wrongSuffix,
    '1mi': wrongSuffix,
    '1e': wrongSuffix,
    '1e+': wrongSuffix,
    '1ee3': wrongSuffix,
    '1+3': wrongSuffix,
    '1Ki3': wrongSuffix,
    '1e9223372036854775808': wrongSuffix,
    '1e99999999999999999999': wrongSuffix,
    Pi: wrongNumber,
    '-.Ei': wrongNumber,
    'e-10': wrongNumber,
  }
  for (const [text, message] of Object.entries(cases))
    assert.throws(() => Quantity.parse(text), new ValueError(message), `parsing ${text}`)
})

test('hostile texts take linear time', () => {
  assert.throws(() => Quantity.parse(`${'1'.repeat(1_000_000)}x`), new ValueError(wrongFormat))
  assert.throws(() => canonicalQuantity(`1${' '.repeat(1_000_000)}1`), new ValueError(wrongFormat))
  assert.equal(canonicalQuantity(`1${'0'.repeat(100_000)}1`).length, 100_002)
})

test('sums keep the format of the first operand that is not zero', () => {
  const sum = (left: string, right: string) => Quantity.parse(left).add(Quantity.parse(right)).toString()
  assert.equal(sum('1Gi', '1G'), '2073741824')
  assert.equal(sum('1Gi', '1024Mi'), '2Gi')
  assert.equal(sum('1G', '1Gi'), '2073741824')
  assert.equal(sum('0', '1Gi'), '1Gi')
  assert.equal(sum('0Ki', '1e3'), '1e3')
  assert.equal(sum('500m', '500m'), '1')
  assert.equal(sum('500m', '5e2'), '500500m')
  assert.equal(sum('1e3', '500m'), '1000500e-3')
  assert.equal(sum('1Ki', '500m'), '1024500m', 'a binary amount that is not whole is written as a decimal')
  assert.equal(Quantity.zero.subtract(Quantity.parse('1Ki')).toString(), '-1Ki')
  assert.equal(Quantity.parse('+5').negate().toString(), '-5', 'the text as it was given is only kept untouched')
  assert.equal(Quantity.parse('250m').multiply(4).toString(), '1')
})

test('values are rounded up to whole units', () => {
  const cases: [string, number, number][] = [
    ['100m', 1, 100],
    ['1', 1, 1000],
    ['1.0001', 2, 1001],
    ['-1.0001', -2, -1001],
    ['1Ki', 1024, 1024000],
    ['1n', 1, 1],
    ['0', 0, 0],
    ['3k', 3000, 3000000],
  ]
  for (const [text, value, milli] of cases) {
    assert.equal(Quantity.parse(text).value(), value, text)
    assert.equal(Quantity.parse(text).milliValue(), milli, text)
  }
  assert.equal(Quantity.parse('1500m').scaledValue(3), 1n)
})

test('values beyond 64 bits become the nearest 64-bit integer', () => {
  assert.equal(Quantity.parse('1e1000000000').scaledValue(0), 2n ** 63n - 1n)
  assert.equal(Quantity.parse('-1e30').scaledValue(0), -(2n ** 63n))
  assert.equal(Quantity.parse('9.3E').scaledValue(0), 2n ** 63n - 1n)
})

test('only whole numbers of 64 bits are integers', () => {
  assert.equal(Quantity.parse('1Gi').asInteger(), 1073741824n)
  assert.equal(Quantity.parse('1000m').asInteger(), 1n)
  assert.equal(Quantity.parse('1m').asInteger(), undefined)
  assert.equal(Quantity.parse('10E').asInteger(), undefined)
})

test('a quantity becomes a number, a string and JSON', () => {
  assert.equal(Quantity.parse('1500m').toNumber(), 1.5)
  assert.equal(`${Quantity.of(1024, 'BinarySI')}`, '1Ki')
  assert.equal(Quantity.milli(1500).toString(), '1500m')
  assert.equal(JSON.stringify({ cpu: Quantity.parse('0.5') }), '{"cpu":"500m"}')
})

test('enormous exponents cost neither time nor memory', () => {
  const enormous = Quantity.parse('1e1000000000')
  assert.equal(enormous.compare(Quantity.parse('1Ki')), 1)
  assert.equal(enormous.add(Quantity.parse('1Ki')).toString(), '10e999999999')
  assert.equal(Quantity.parse('1Ki').subtract(enormous).toString(), '-10e999999999')
  assert.equal(enormous.subtract(enormous).isZero(), true)
})

const unit = 10n ** 9n
const toNano = ({ mantissa, exponent }: Quantity) => mantissa * 10n ** BigInt(exponent + 9)

function decimalText(nano: bigint): string {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(10, '0')
  return `${nano < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`
}

/** Amounts in billionths, so that the quantity is exactly known. */
const nanos = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
const formats = fc.constantFrom<QuantityFormat>('DecimalSI', 'BinarySI', 'DecimalExponent')
/** Adds to an operand of the wanted format, because sums keep the format of their first operand. */
const amounts = fc.tuple(nanos, formats).map(([nano, format]) => {
  const rest = Quantity.parse(decimalText(nano - unit))
  return { nano, quantity: Quantity.of(1, format).add(rest) }
})
const suffixed = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.stringMatching(/^\d{1,22}(\.\d{0,12})?$/),
    fc.constantFrom(
      '',
      'n',
      'u',
      'm',
      'k',
      'M',
      'G',
      'T',
      'P',
      'E',
      'Ki',
      'Mi',
      'Gi',
      'Ti',
      'Pi',
      'Ei',
      'e3',
      'e-4',
      'E+7',
    ),
  )
  .map((parts) => parts.join(''))

describe('laws of quantities', () => {
  test('the canonical form is a fixed point of the same amount', () =>
    fc.assert(
      fc.property(suffixed, (text) => {
        const form = canonicalQuantity(text)
        assert.equal(canonicalQuantity(form), form)
        assert.ok(Quantity.parse(form).equals(Quantity.parse(text)))
      }),
    ))

  test('parsing the formatted text gives the same amount, in every format', () =>
    fc.assert(
      fc.property(amounts, ({ nano, quantity }) => {
        assert.equal(toNano(Quantity.parse(quantity.toString())), nano)
        assert.equal(Quantity.parse(quantity.toString()).toString(), quantity.toString())
      }),
    ))

  test('addition is commutative and associative, and agrees with integers', () =>
    fc.assert(
      fc.property(amounts, amounts, amounts, (a, b, c) => {
        assert.equal(toNano(a.quantity.add(b.quantity)), a.nano + b.nano)
        assert.ok(a.quantity.add(b.quantity).equals(b.quantity.add(a.quantity)))
        assert.ok(
          a.quantity
            .add(b.quantity)
            .add(c.quantity)
            .equals(a.quantity.add(b.quantity.add(c.quantity))),
        )
      }),
    ))

  test('subtraction undoes addition, and a quantity less itself is zero', () =>
    fc.assert(
      fc.property(amounts, amounts, ({ quantity: a }, { quantity: b }) => {
        assert.ok(a.subtract(a).isZero())
        assert.ok(a.add(b).subtract(b).equals(a))
        assert.ok(a.subtract(b).equals(b.subtract(a).negate()))
      }),
    ))

  test('multiplication is repeated addition', () =>
    fc.assert(
      fc.property(amounts, fc.integer({ min: -50, max: 50 }), ({ nano, quantity }, factor) =>
        assert.equal(toNano(quantity.multiply(factor)), nano * BigInt(factor)),
      ),
    ))

  test('the order is that of the amounts', () =>
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const expected = a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0
        assert.equal(a.quantity.compare(b.quantity), expected)
        assert.equal(b.quantity.compare(a.quantity), expected === 0 ? 0 : -expected)
        assert.equal(a.quantity.subtract(b.quantity).sign(), expected)
      }),
    ))

  test('values are rounded away from zero, by less than one', () =>
    fc.assert(
      fc.property(amounts, ({ nano, quantity }) => {
        const value = quantity.scaledValue(0)
        const away = nano < 0n ? -1n : 1n
        const expected = nano % unit === 0n ? nano / unit : nano / unit + away
        assert.equal(value, expected)
      }),
    ))

  test('random text is a quantity or a ValueError, never anything else', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+.0-9eEinumkKMGTP]{0,12}$/)), (text) => {
        try {
          const form = canonicalQuantity(text)
          assert.equal(canonicalQuantity(form), form)
        } catch (error) {
          assert.ok(error instanceof ValueError, String(error))
        }
      }),
    ))
})
