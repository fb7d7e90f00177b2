import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { KeySpace } from './key-space.js'

test('keys are under the prefix, with or without slashes', () => {
  for (const prefix of ['/registry', 'registry', '/registry/', '//registry//'])
    assert.equal(new KeySpace(prefix).key('pods/default/web').toString(), '/registry/pods/default/web')
  for (const prefix of ['', '/']) assert.equal(new KeySpace(prefix).key('/a').toString(), '/a')
  assert.equal(new KeySpace('/a/b').key('c').toString(), '/a/b/c')
})

test('a range has exactly the keys with the prefix after the given key', () => {
  const key = fc.string({
    minLength: 1,
    maxLength: 4,
    unit: fc.constantFrom('a', 'b', '/', 'é', '～', '😀', '\u0000', '\u{10ffff}'),
  })
  const isIn = (bytes: Buffer, start: Buffer, end: Buffer) =>
    (start.equals(openEnd) || Buffer.compare(bytes, start) >= 0) &&
    (end.equals(openEnd) || Buffer.compare(bytes, end) < 0)
  const openEnd = Buffer.from([0])
  fc.assert(
    fc.property(
      fc.constantFrom('', '/registry'),
      fc.oneof(fc.constant(''), key),
      fc.option(fc.oneof(fc.constant(''), key), { nil: undefined }),
      key,
      (root, prefix, after, candidate) => {
        const space = new KeySpace(root)
        const { start, end } = space.range(prefix, after)
        const isAfter = after === undefined || Buffer.compare(Buffer.from(candidate), Buffer.from(after)) > 0
        assert.equal(isIn(space.key(candidate), start, end), candidate.startsWith(prefix) && isAfter)
      },
    ),
    { numRuns: 2000 },
  )
})
