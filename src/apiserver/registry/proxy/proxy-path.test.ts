import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { VerbScope } from '../../verbs/verb-scope.js'
import { proxyPathOf, rewriteLink } from './proxy-path.js'

describe('a proxy path', () => {
  const passage = (path: string, namespace: string, query = '') =>
    proxyPathOf({
      context: { request: { path, query: new URLSearchParams(query) }, info: { namespace } },
    } as unknown as VerbScope)

  test('is split into the part for this server and the part for the backend', () => {
    assert.deepEqual(passage('/api/v1/namespaces/shop/services/https:web:443/proxy/a/b', 'shop', 'c=d'), {
      prefix: '/api/v1/namespaces/shop/services/https:web:443/proxy',
      rest: '/a/b',
      query: '?c=d',
    })
    assert.deepEqual(passage('/api/v1/nodes/one/proxy', ''), { prefix: '/api/v1/nodes/one/proxy', rest: '', query: '' })
  })

  test('has an unchanged query', () => {
    const request = { path: '/api/v1/nodes/one/proxy/', query: new URLSearchParams(), search: 'flag&a=%20b;c~ \xe9' }
    const scope = { context: { request, info: { namespace: '' } } } as unknown as VerbScope
    assert.equal(proxyPathOf(scope).query, '?flag&a=%20b;c~%20%E9')
  })

  test('begins with one slash, so that it is not a host', () =>
    assert.equal(passage('//api/v1/nodes/one/proxy/x', '').prefix, '/api/v1/nodes/one/proxy'))

  test('may contain objects named proxy', () => {
    assert.equal(passage('/api/v1/namespaces/proxy/pods/proxy/proxy/proxy/x', 'proxy').rest, '/proxy/x')
    assert.equal(passage('/api/v1/nodes/proxy/proxy/x', '').rest, '/x')
  })

  test('is encoded again', () => {
    assert.equal(passage('/api/v1/nodes/one/proxy/a b/50%/?#/é', '').rest, '/a%20b/50%25/%3F%23/%C3%A9')
  })
})

describe('a link of a backend', () => {
  const prefix = '/api/v1/namespaces/shop/pods/web/proxy'
  const backend = { scheme: 'http', host: '10.0.0.7', port: 80 } as const
  const hosts = { backend, here: 'cluster:6443' }
  const links: Readonly<Record<string, string>> = {
    '/': `${prefix}/`,
    '/login?next=/': `${prefix}/login?next=/`,
    'http://10.0.0.7:80/login': `${prefix}/login`,
    '//10.0.0.7:80/login': `${prefix}/login`,
    'http://10.0.0.7/login': `${prefix}/login`,
    'http://10.0.0.7:8080/login': 'http://10.0.0.7:8080/login',
    'https://cluster:6443/login': `https://cluster:6443${prefix}/login`,
    [`${prefix}/login`]: `${prefix}/login`,
    'http://elsewhere/login': 'http://elsewhere/login',
    '//elsewhere/login': '//elsewhere/login',
    'next.html': 'next.html',
    '../up': '../up',
    '#here': '#here',
    'mailto:somebody@elsewhere': 'mailto:somebody@elsewhere',
    'http://10.0.0.7:80': 'http://10.0.0.7:80',
    '': '',
  }
  for (const [link, expected] of Object.entries(links))
    test(`${JSON.stringify(link)} is ${link === expected ? 'unchanged' : `rewritten to ${expected}`}`, () => {
      assert.equal(rewriteLink(link, { prefix }, hosts), expected)
    })

  test('stays on the proxy if the request has no host header', () => {
    assert.equal(rewriteLink('/x', { prefix }, { backend, here: undefined }), `${prefix}/x`)
  })
})
