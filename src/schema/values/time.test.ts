import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ValueError } from '../value-error.js'
import { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime, parseMicroTime, parseTime } from './time.js'

const second = '"2006-01-02T15:04:05Z07:00"'
const micro = '"2006-01-02T15:04:05.000000Z07:00"'

function refused(read: (text: string) => unknown, cases: Readonly<Record<string, string>>): void {
  for (const [text, problem] of Object.entries(cases))
    assert.throws(() => read(text), new ValueError(`parsing time ${JSON.stringify(text)}${problem}`), text)
}

describe('times', () => {
  test('are stored in UTC and whole seconds', () => {
    const cases: Readonly<Record<string, string>> = {
      '2024-02-29T23:59:59Z': '2024-02-29T23:59:59Z',
      '2024-01-31T00:00:00Z': '2024-01-31T00:00:00Z',
      '2024-01-02T03:04:05+02:00': '2024-01-02T01:04:05Z',
      '2024-01-01T00:30:00+01:00': '2023-12-31T23:30:00Z',
      '2024-12-31T23:30:00-01:00': '2025-01-01T00:30:00Z',
      '2024-01-02T03:04:05.999999999Z': '2024-01-02T03:04:05Z',
      '2024-01-02T03:04:05.5+00:00': '2024-01-02T03:04:05Z',
      '0001-01-01T00:00:00Z': '0001-01-01T00:00:00Z',
      '0099-03-01T00:00:00Z': '0099-03-01T00:00:00Z',
      '1969-12-31T23:59:59.5Z': '1969-12-31T23:59:59Z',
    }
    for (const [text, expected] of Object.entries(cases)) assert.equal(canonicalTime(text), expected)
  })

  test('may deviate from RFC 3339 as Go allows', () => {
    assert.equal(canonicalTime('2024-01-02T3:04:05Z'), '2024-01-02T03:04:05Z')
    assert.equal(canonicalTime('2024-01-02T03:04:05,25Z'), '2024-01-02T03:04:05Z')
    assert.equal(canonicalTime('2024-01-02T03:04:05+24:00'), '2024-01-01T03:04:05Z')
    assert.equal(canonicalTime('2024-01-02T03:04:05-00:60'), '2024-01-02T04:04:05Z')
    assert.equal(canonicalTime('0000-01-01T00:00:00+01:00'), '-0001-12-31T23:00:00Z')
    assert.equal(canonicalTime('9999-12-31T23:00:00-01:00'), '10000-01-01T00:00:00Z')
  })

  test('that are malformed are rejected with the wrong piece', () =>
    refused(canonicalTime, {
      yesterday: ` as ${second}: cannot parse "yesterday" as "2006"`,
      '': ` as ${second}: cannot parse "" as "2006"`,
      '20x4-01-02T03:04:05Z': ` as ${second}: cannot parse "20x4-01-02T03:04:05Z" as "2006"`,
      '2024': ` as ${second}: cannot parse "" as "-"`,
      '2024/01/02': ` as ${second}: cannot parse "/01/02" as "-"`,
      '2024-1-02T03:04:05Z': ` as ${second}: cannot parse "1-02T03:04:05Z" as "01"`,
      '2024-01-2T03:04:05Z': ` as ${second}: cannot parse "2T03:04:05Z" as "02"`,
      '2024-01-02': ` as ${second}: cannot parse "" as "T"`,
      '2024-01-02 03:04:05Z': ` as ${second}: cannot parse " 03:04:05Z" as "T"`,
      '2024-01-02Tx': ` as ${second}: cannot parse "x" as "15"`,
      '2024-01-02T03:4:05Z': ` as ${second}: cannot parse "4:05Z" as "04"`,
      '2024-01-02T03:04:5Z': ` as ${second}: cannot parse "5Z" as "05"`,
      '2024-01-02T03:04:05': ` as ${second}: cannot parse "" as "Z07:00"`,
      '2024-01-02T03:04:05.Z': ` as ${second}: cannot parse ".Z" as "Z07:00"`,
      '2024-01-02T03:04:05z': ` as ${second}: cannot parse "z" as "Z07:00"`,
      '2024-01-02T03:04:05+0200': ` as ${second}: cannot parse "+0200" as "Z07:00"`,
      '2024-01-02T03:04:05 02:00': ` as ${second}: cannot parse " 02:00" as "Z07:00"`,
    }))

  test('that do not exist are rejected as out of range', () =>
    refused(canonicalTime, {
      '2024-13-02T03:04:05Z': ': month out of range',
      '2024-00-02T03:04:05Z': ': month out of range',
      '2023-02-29T03:04:05Z': ': day out of range',
      '2024-04-31T03:04:05Z': ': day out of range',
      '2024-01-00T03:04:05Z': ': day out of range',
      '2024-01-02T24:04:05Z': ': hour out of range',
      '2024-01-02T03:60:05Z': ': minute out of range',
      '2024-01-02T03:04:60Z': ': second out of range',
      '2024-01-02T03:04:05+25:00': ': time zone offset hour out of range',
      '2024-01-02T03:04:05+25:61': ': time zone offset minute out of range',
      '2024-01-02T03:04:05Zulu': ': extra text: "ulu"',
      '2024-02-30T03:04:05Z!': ': extra text: "!"',
    }))

  test('are quoted in errors byte by byte', () =>
    assert.throws(
      () => canonicalTime('é'),
      new ValueError(`parsing time "\\xc3\\xa9" as ${second}: cannot parse "\\xc3\\xa9" as "2006"`),
    ))
})

describe('times with microseconds', () => {
  test('are stored in UTC', () => {
    assert.equal(canonicalMicroTime('2024-01-02T03:04:05.123456Z'), '2024-01-02T03:04:05.123456Z')
    assert.equal(canonicalMicroTime('2024-01-02T03:04:05,000001+01:00'), '2024-01-02T02:04:05.000001Z')
    assert.equal(canonicalMicroTime('2024-01-31T03:04:05.+12345Z'), '2024-01-31T03:04:05.012345Z')
  })

  test('need exactly six decimals', () =>
    refused(canonicalMicroTime, {
      '2024-01-02T03:04:05.5Z': ` as ${micro}: cannot parse ".5Z" as ".000000"`,
      '2024-01-02T03:04:05Z': ` as ${micro}: cannot parse "Z" as ".000000"`,
      '2024-01-02T03:04:05.123456789Z': ` as ${micro}: cannot parse "789Z" as "Z07:00"`,
      '2024-01-02T03:04:05.12345xZ': ` as ${micro}: cannot parse ".12345xZ" as ".000000"`,
      '2024-01-02T03:04:05.-12345Z': ': fractional second out of range',
      yesterday: ` as ${micro}: cannot parse "yesterday" as "2006"`,
      '2024-02-30T03:04:05.000000Z': ': day out of range',
    }))
})

test('times are converted to and from milliseconds', () => {
  assert.equal(parseTime('1970-01-01T00:00:00Z'), 0)
  assert.equal(parseTime('2024-01-02T03:04:05.6789Z'), Date.UTC(2024, 0, 2, 3, 4, 5, 678))
  assert.equal(parseMicroTime('2024-01-02T03:04:05.123456Z'), Date.UTC(2024, 0, 2, 3, 4, 5) + 123.456)
  assert.equal(formatTime(Date.UTC(2024, 0, 2, 3, 4, 5, 999)), '2024-01-02T03:04:05Z')
  assert.equal(formatTime(-1), '1969-12-31T23:59:59Z')
  assert.equal(formatMicroTime(-0.001), '1969-12-31T23:59:59.999999Z')
  assert.equal(formatMicroTime(1.5), '1970-01-01T00:00:00.001500Z')
  assert.equal(formatMicroTime(999.9999), '1970-01-01T00:00:01.000000Z')
})

describe('laws of times', () => {
  const milliseconds = fc
    .integer({ min: Date.UTC(-1), max: Date.UTC(10_000) - 1 })
    .filter((ms) => ms >= -62_167_219_200_000)

  test('formatted times are canonical and parse to the same time', () =>
    fc.assert(
      fc.property(milliseconds, (time) => {
        assert.equal(canonicalTime(formatTime(time)), formatTime(time))
        assert.equal(canonicalMicroTime(formatMicroTime(time)), formatMicroTime(time))
        assert.equal(parseTime(formatTime(time)), Math.floor(time / 1000) * 1000)
        assert.equal(parseMicroTime(formatMicroTime(time)), time)
        assert.equal(parseTime(new Date(time).toISOString()), time)
      }),
    ))

  test('any text is a time or a ValueError, and the canonical form is a fixed point', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d{1,9})?(Z|[+-]\d\d:\d\d)$/)),
        (text) => {
          try {
            const form = canonicalTime(text)
            if (form.length === 20) assert.equal(canonicalTime(form), form)
          } catch (error) {
            assert.ok(error instanceof ValueError, String(error))
          }
        },
      ),
    ))
})
