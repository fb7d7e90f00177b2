import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'
import type { Ingress } from './ingress.js'

const kind = new KindHarness<Ingress>('networking/v1.Ingress')
const backend = { service: { name: 'web', port: { number: 80 } } }
const wrong = (spec: object) => kind.create({ spec }).errors
const withPath = (path: object) => ({
  rules: [{ http: { paths: [{ path: '/', pathType: 'Exact', backend, ...path }] } }],
})
const at = 'spec.rules[0].http.paths[0]'

describe('ingresses that are rejected', () => {
  const cases: readonly (readonly [title: string, spec: object, ...errors: readonly string[]])[] = [
    ['without anything', {}, 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
    ['not with a backend alone', { defaultBackend: backend }],
    ['not with a host alone', { rules: [{ host: 'a.example.com' }] }],
    [
      'for the type of a path',
      withPath({ pathType: 'Regex' }),
      `${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
    ],
    [
      'for tricks in a path',
      withPath({ path: '/a/./%2f/..' }),
      `${at}.path: Invalid value: "/a/./%2f/..": must not contain '/./'`,
      `${at}.path: Invalid value: "/a/./%2f/..": must not contain '%2f'`,
      `${at}.path: Invalid value: "/a/./%2f/..": cannot end with '/..'`,
    ],
    [
      'for a path that leads nowhere',
      withPath({ path: '' }),
      `${at}.path: Invalid value: "": must be an absolute path`,
    ],
    ['not where the path is for others to read', withPath({ path: '', pathType: 'ImplementationSpecific' })],
    ['not for what others read into a path', withPath({ path: '/a//b', pathType: 'ImplementationSpecific' })],
    [
      'for ports',
      withPath({ backend: { service: { name: '', port: { number: 70000 } } } }),
      `${at}.backend.service.name: Required value`,
      `${at}.backend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive`,
    ],
    [
      'for names of ports',
      withPath({ backend: { service: { name: 'a', port: { name: '80' } } } }),
      `${at}.backend.service.port.name: Invalid value: "80": must contain at least one letter (a-z)`,
    ],
    [
      'for what else is behind',
      { defaultBackend: { resource: { apiGroup: 'A', kind: '', name: 'a/b' } } },
      `spec.defaultBackend.resource.apiGroup: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      'spec.defaultBackend.resource.kind: Required value',
      `spec.defaultBackend.resource.name: Invalid value: "a/b": may not contain '/'`,
    ],
    [
      'not for wildcards',
      { defaultBackend: backend, tls: [{ hosts: ['*.example.com'] }], rules: [{ host: '*.example.com' }] },
    ],
  ]
  for (const [title, spec, ...errors] of cases) test(title, () => assert.deepEqual(wrong(spec), errors))

  test('for two classes', () => {
    const metadata = { name: 'x', namespace: 'ns', annotations: { 'kubernetes.io/ingress.class': 'a' } }
    const made = { metadata, spec: { defaultBackend: backend, ingressClassName: 'b' } }
    const error =
      'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified'
    assert.deepEqual(kind.create(made).errors, [error])
    assert.deepEqual(
      kind.update(kind.create(made).object, { spec: { ingressClassName: 'c' } }).errors,
      [],
      'but not later',
    )
  })
})

test('an ingress may keep what was wrong from the beginning', () => {
  const badRule = { host: '*.example.com', http: { paths: [{ path: 'x', pathType: 'Exact', backend }] } }
  const old = kind.create({ spec: { rules: [badRule], tls: [{ secretName: 'A B' }] } }).object
  assert.equal(kind.create({ spec: old.spec }).errors.length, 2)
  assert.deepEqual(kind.update(old, { spec: { ingressClassName: 'a' } }).errors, [])
  assert.equal(kind.update(old, { spec: { rules: [{ ...badRule, host: 'a.example.com' }] } }).errors.length, 1)
})

test('its status says where it is', () => {
  const old = kind.create({ spec: { defaultBackend: backend } }).object
  const ingress = [{ ip: 'x' }, { hostname: '10.0.0.1' }]
  assert.deepEqual(kind.update(old, { status: { loadBalancer: { ingress } } }, 'status').errors, [
    'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    'status.loadBalancer.ingress[1].hostname: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
  ])
})

test('the old way to name a class gets a warning about once', () => {
  const annotations = { 'kubernetes.io/ingress.class': 'a' }
  const made = kind.create({
    metadata: { name: 'x', namespace: 'ns', annotations },
    spec: { defaultBackend: backend },
  })
  assert.deepEqual(made.warnings, [
    `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
  ])
  assert.deepEqual(kind.update(made, {}).warnings, [])
})

test('the table shows three hosts', () => {
  const hosts = (...names: readonly string[]) =>
    kind.row(kind.create({ spec: { rules: names.map((host) => ({ host })) } }).object).Hosts
  assert.equal(hosts(''), '*')
  assert.equal(hosts('a', '', 'b'), 'a,b')
  assert.equal(hosts('a', 'b', 'c', 'd', ''), 'a,b,c + 2 more...')
  const ingress = [{ ip: '192.0.2.9' }, { hostname: 'a' }, { ip: '192.0.2.1' }]
  const row = kind.row(
    kind.update(
      kind.create({ spec: { defaultBackend: backend } }).object,
      { status: { loadBalancer: { ingress } } },
      'status',
    ).object,
  )
  assert.deepEqual([row.Class, row.Address, row.Ports], ['<none>', '192.0.2.1,192.0.2.9,a', '80'])
})
