import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { jsonFromExact } from './inspect.js'
import { ExactNumber, ExactObject, maximumJsonDepth, readJson } from './json-reader.js'
import { scanJson } from './json-scan.js'

describe('the exact JSON reader', () => {
  const errors: readonly (readonly [string, string])[] = [
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['{"a":1} trailing', "invalid character 't' after top-level value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.', 'unexpected end of JSON input'],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+', 'unexpected end of JSON input'],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['nulL', "invalid character 'L' in literal null (expecting 'l')"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    ['\u0001', "invalid character '\\x01' looking for beginning of value"],
  ]
  for (const [text, message] of errors) {
    it(`reports ${message} for ${JSON.stringify(text)}`, () => {
      assert.throws(() => readJson(text), { name: 'JsonSyntaxError', message })
    })
  }

  it('keeps equal keys in order, and numbers as written', () => {
    const value = readJson('{"a":1e3,"b":"x","a":1.50}')
    assert.deepEqual(
      value,
      new ExactObject([
        ['a', new ExactNumber('1e3')],
        ['b', 'x'],
        ['a', new ExactNumber('1.50')],
      ]),
    )
  })

  it('rejects nesting that could overflow the stack', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    assert.doesNotThrow(() => readJson(nested(maximumJsonDepth)))
    assert.throws(() => readJson(nested(maximumJsonDepth + 1)), { message: 'exceeded max depth' })
    assert.throws(() => readJson('['.repeat(1_000_000)), { message: 'exceeded max depth' })
  })

  it('gives the same result as the built-in parser', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        assert.deepEqual(
          jsonFromExact(readJson(JSON.stringify(value, null, indent))),
          JSON.parse(JSON.stringify(value)),
        )
      }),
    )
  })

  it('rejects exactly what the built-in parser rejects', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,01e.-+ tfnulrs\\a') }), (text) => {
        assert.equal(
          succeeds(() => readJson(text)),
          succeeds(() => JSON.parse(text)),
        )
      }),
      { numRuns: 3000 },
    )
  })
})

describe('the scan', () => {
  it('counts the members of every object, and the depth', () => {
    assert.deepEqual(scanJson(Buffer.from('{"a":{"b":[{"c":1},{"c":":{["}]},"a":"\\":"}')), {
      members: 5,
      depth: 4,
      exponents: false,
    })
  })

  it('notices only numbers with an exponent', () => {
    for (const text of ['[1e3]', '[-1.5E+2]', '{"a":0e0}']) assert.equal(scanJson(Buffer.from(text)).exponents, true)
    for (const text of ['[true,false]', '["1e3"]', '{"1e3":10}'])
      assert.equal(scanJson(Buffer.from(text)).exponents, false)
  })

  it('agrees with the parsed value if keys are distinct', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(scanJson(Buffer.from(JSON.stringify(value))).members, countMembers(value))
      }),
    )
  })
})

function succeeds(run: () => unknown): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, member) => sum + countMembers(member), own)
}
