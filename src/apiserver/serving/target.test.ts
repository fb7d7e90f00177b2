import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseQuery, parseTarget } from './target.js'

describe('the target of a request', () => {
  const cases: readonly [string, string | undefined, string?][] = [
    ['/api/v1/pods', '/api/v1/pods', ''],
    ['/api/v1/pods?watch=1&a=%zz', '/api/v1/pods', 'watch=1&a=%zz'],
    ['/a?b?c', '/a', 'b?c'],
    ['/a%2Fb%20c', '/a/b c', ''],
    ['/caf%C3%A9', '/café', ''],
    ['/\xc3\xa9', '/é', ''], // bytes that were not escaped
    ['/%ff', '/\ufffd', ''],
    ['/%', undefined],
    ['/a%2', undefined],
    ['/a%zz', undefined],
    ['https://somewhere:6443/api?x=1', '/api', 'x=1'],
    ['https://somewhere', '/', ''],
    ['https://somewhere?x=1', '/', 'x=1'],
    ['*', '*', ''],
    ['api/v1', undefined],
    ['', undefined],
  ]
  for (const [url, path, search = ''] of cases)
    test(`${JSON.stringify(url)} is ${path === undefined ? 'malformed' : JSON.stringify(path)}`, () => {
      assert.deepEqual(parseTarget(url), path === undefined ? undefined : { path, search })
    })

  test('any path comes back as it was before it was escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const path = `/${text}`
        assert.equal(parseTarget(path.split('/').map(encodeURIComponent).join('/'))?.path, path)
      }),
    )
  })
})

describe('the query of a request', () => {
  test('is decoded', () => {
    assert.deepEqual(
      [...parseQuery('a=1&b=x%20y+z&a=2')],
      [
        ['a', '1'],
        ['b', 'x y z'],
        ['a', '2'],
      ],
    )
  })
  test('loses the pairs that are malformed, and keeps the rest', () => {
    assert.deepEqual(
      [...parseQuery('watch=1&bad=%zz&c;d=1&limit=5')],
      [
        ['watch', '1'],
        ['limit', '5'],
      ],
    )
  })
  test('that is empty costs nothing', () => {
    assert.equal(parseQuery(''), parseQuery(''))
    assert.equal(parseQuery('').size, 0)
  })
})
