import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DurationError, formatDuration, fromMilliseconds, parseDuration, toMilliseconds } from './duration.js'

const second = 1_000_000_000n
const hour = 3600n * second
const largest = 2n ** 63n - 1n
const anyDuration = fc.bigInt({ min: -largest - 1n, max: largest })

test('durations are parsed in every unit, with fractions and signs', () => {
  const readings: Record<string, bigint> = {
    '0': 0n,
    '+0': 0n,
    '-0': 0n,
    '0s': 0n,
    '5s': 5n * second,
    '30s': 30n * second,
    '1478s': 1478n * second,
    '-5s': -5n * second,
    '+5s': 5n * second,
    '5.0s': 5n * second,
    '5.6s': 5_600_000_000n,
    '5.s': 5n * second,
    '.5s': second / 2n,
    '1.004s': 1_004_000_000n,
    '100.00100s': 100_001_000_000n,
    '10ns': 10n,
    '11us': 11_000n,
    '12µs': 12_000n,
    '12μs': 12_000n,
    '13ms': 13_000_000n,
    '15m': 900n * second,
    '-1.5h': (-3n * hour) / 2n,
    '1h2m3.5s': hour + 123_500_000_000n,
    '3h30m': (7n * hour) / 2n,
    '-2m3.4s': -123_400_000_000n,
    '1s1s': 2n * second,
    '39h9m14.425s': 39n * hour + 554_425_000_000n,
    '9007199254740993ns': 9_007_199_254_740_993n,
    '0.3333333333333333333h': 1200n * second,
    '0.9223372036854775807h': 3_320_413_933_267n,
    '0.100000000000000000000h': hour / 10n,
    '9223372036854775807ns': largest,
    '2562047h47m16.854775807s': largest,
    '-9223372036854775808ns': -largest - 1n,
    '-2562047h47m16.854775808s': -largest - 1n,
  }
  for (const [text, duration] of Object.entries(readings)) assert.equal(parseDuration(text), duration, text)
})

test('a fraction is truncated below the nanosecond', () => {
  assert.equal(parseDuration('0.9ns'), 0n)
  assert.equal(parseDuration('1.0000000019s'), second + 1n)
})

test('long fractions are rounded as in Go', () => {
  // Exact arithmetic would give …585 and …616; with all of its 19 digits the last would be …135.
  assert.equal(parseDuration('0.45501314016250h'), 1_638_047_304_584n)
  assert.equal(parseDuration('0.8804482004491666h'), 3_169_613_521_617n)
  assert.equal(parseDuration('0.9340915505933333470h'), 3_362_729_582_136n)
})

test("invalid durations are rejected with Go's messages", () => {
  const refusals: Record<string, string> = {
    '': 'time: invalid duration ""',
    x: 'time: invalid duration "x"',
    '3': 'time: missing unit in duration "3"',
    '3y': 'time: unknown unit "y" in duration "3y"',
    '-': 'time: invalid duration "-"',
    '+': 'time: invalid duration "+"',
    s: 'time: invalid duration "s"',
    '.': 'time: invalid duration "."',
    '-.': 'time: invalid duration "-."',
    '.s': 'time: invalid duration ".s"',
    '+.s': 'time: invalid duration "+.s"',
    '1.': 'time: missing unit in duration "1."',
    '1.2.3s': 'time: missing unit in duration "1.2.3s"',
    '00': 'time: missing unit in duration "00"',
    '--1s': 'time: invalid duration "--1s"',
    '1h-1m': 'time: unknown unit "h-" in duration "1h-1m"',
    '1s x': 'time: unknown unit "s x" in duration "1s x"',
    ' 1s': 'time: invalid duration " 1s"',
    '1d': 'time: unknown unit "d" in duration "1d"',
    '1S': 'time: unknown unit "S" in duration "1S"',
    '3"\\s': 'time: unknown unit "\\"\\\\s" in duration "3\\"\\\\s"',
    '5µ\n': 'time: unknown unit "\\xc2\\xb5\\x0a" in duration "5\\xc2\\xb5\\x0a"',
    '\u{1f600}': 'time: invalid duration "\\xf0\\x9f\\x98\\x80"',
    '9223372036854775808ns': 'time: invalid duration "9223372036854775808ns"',
    '9223372036854775809': 'time: invalid duration "9223372036854775809"',
    '9223372036854775808': 'time: missing unit in duration "9223372036854775808"',
    '3000000h': 'time: invalid duration "3000000h"',
    '-9223372036854775809ns': 'time: invalid duration "-9223372036854775809ns"',
    '9223372036854775us9223372036854775us': 'time: invalid duration "9223372036854775us9223372036854775us"',
    '2562047h47m16.854775808s': 'time: invalid duration "2562047h47m16.854775808s"',
  }
  for (const [text, message] of Object.entries(refusals))
    assert.throws(() => parseDuration(text), new DurationError(message), text)
})

test('durations are formatted as in Go', () => {
  const writings: [bigint, string][] = [
    [0n, '0s'],
    [1n, '1ns'],
    [999n, '999ns'],
    [1100n, '1.1µs'],
    [2_200_000n, '2.2ms'],
    [300_000_000n, '300ms'],
    [1_000_001n, '1.000001ms'],
    [second, '1s'],
    [3_300_000_000n, '3.3s'],
    [60n * second, '1m0s'],
    [60_500_000_000n, '1m0.5s'],
    [300n * second, '5m0s'],
    [hour, '1h0m0s'],
    [100n * hour + 1n, '100h0m0.000000001s'],
    [(-3n * hour) / 2n, '-1h30m0s'],
    [-1n, '-1ns'],
    [largest, '2562047h47m16.854775807s'],
    [-largest - 1n, '-2562047h47m16.854775808s'],
  ]
  for (const [duration, text] of writings) assert.equal(formatDuration(duration), text)
})

test('a duration above 64 bits is not formatted', () => {
  assert.throws(() => formatDuration(largest + 1n), RangeError)
  assert.throws(() => formatDuration(-largest - 2n), RangeError)
})

test('every formatted duration is parsed to the same value', () => {
  fc.assert(fc.property(anyDuration, (duration) => assert.equal(parseDuration(formatDuration(duration)), duration)))
  fc.assert(
    fc.property(fc.bigInt({ min: -2n * hour, max: 2n * hour }), (duration) =>
      assert.equal(parseDuration(formatDuration(duration)), duration),
    ),
  )
})

test('any text is parsed or rejected with a DurationError', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'0123456789.hmsnuµ-+') }))
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const duration = parseDuration(text)
        assert.ok(-largest - 1n <= duration && duration <= largest)
      } catch (error) {
        assert.ok(error instanceof DurationError, String(error))
      }
    }),
    { numRuns: 1000 },
  )
})

test('milliseconds convert to clocks and back', () => {
  assert.equal(toMilliseconds(parseDuration('1.5s')), 1500)
  assert.equal(toMilliseconds(parseDuration('1ns')), 0.000001)
  assert.equal(fromMilliseconds(1500), 1_500_000_000n)
  assert.equal(fromMilliseconds(-0.5), -500_000n)
  assert.equal(fromMilliseconds(365 * 86_400_000), parseDuration('8760h'))
  fc.assert(
    fc.property(fc.integer({ min: -99 * 86_400 * 1e9, max: 99 * 86_400 * 1e9 }), (ns) =>
      assert.equal(fromMilliseconds(toMilliseconds(BigInt(ns))), BigInt(ns)),
    ),
  )
})
