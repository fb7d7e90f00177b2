import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import { testPod } from '../pod.test.kit.js'
import { parseResolver, podResolver, type Resolver, type ResolverOptions } from './resolver.js'

const host: Resolver = { servers: ['192.0.2.1'], searches: ['home.example'], options: ['edns0'] }
const cluster = ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local']

describe('the resolver of a pod', () => {
  const table: readonly (readonly [
    what: string,
    spec: Partial<PodSpec>,
    dependencies: Partial<ResolverOptions>,
    Resolver,
  ])[] = [
    [
      "by the cluster, and then in the node's domains",
      {},
      {},
      { servers: ['10.0.0.10'], searches: [...cluster, 'home.example'], options: ['ndots:5'] },
    ],
    ["by the node, on the node's network", { hostNetwork: true }, {}, host],
    [
      "by the cluster on the node's network, if it wants that",
      { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
      {},
      { servers: ['10.0.0.10'], searches: [...cluster, 'home.example'], options: ['ndots:5'] },
    ],
    ['by the node, if it wants that', { dnsPolicy: 'Default' }, {}, host],
    [
      'by what it says alone',
      {
        dnsPolicy: 'None',
        dnsConfig: { nameservers: ['9.9.9.9'], searches: ['x.example'], options: [{ name: 'ndots', value: '2' }] },
      },
      {},
      { servers: ['9.9.9.9'], searches: ['x.example'], options: ['ndots:2'] },
    ],
    [
      'by what it adds, each once, options in place of those before',
      {
        dnsConfig: {
          nameservers: ['9.9.9.9', '10.0.0.10'],
          searches: ['extra.example', 'cluster.local'],
          options: [{ name: 'ndots', value: '3' }, { name: 'use-vc' }],
        },
      },
      {},
      {
        servers: ['10.0.0.10', '9.9.9.9'],
        searches: [...cluster, 'home.example', 'extra.example'],
        options: ['ndots:3', 'use-vc'],
      },
    ],
    [
      'without a domain of the cluster',
      {},
      { clusterDomain: '' },
      { servers: ['10.0.0.10'], searches: ['home.example'], options: ['ndots:5'] },
    ],
    [
      "not at all, where the node's own must not be used",
      { dnsPolicy: 'Default' },
      { host: undefined, hostAddresses: ['192.0.2.7', 'fd00::7'] },
      { servers: ['127.0.0.1', '::1'], searches: ['.'], options: [] },
    ],
  ]
  for (const [what, spec, dependencies, resolver] of table)
    test(what, () => {
      const { looked, warnings } = look(spec, dependencies)
      assert.deepEqual(looked, resolver)
      assert.deepEqual(warnings, [])
    })

  test("is the host's if the cluster has no DNS, with an event", () => {
    const { looked, warnings } = look({}, { clusterDns: [] })
    assert.deepEqual(looked, host)
    assert.deepEqual(warnings, [
      'MissingClusterDNS: pod: "web_shop(u-1)". kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.',
    ])
  })

  test('has at most three servers', () => {
    const { looked, warnings } = look({ dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3'] } })
    assert.deepEqual(looked.servers, ['10.0.0.10', '1.1.1.1', '2.2.2.2'])
    assert.deepEqual(warnings, [
      'DNSConfigForming: Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.0.0.10 1.1.1.1 2.2.2.2',
    ])
  })

  test('has at most 32 search domains with 2048 characters', () => {
    const searches = (count: number, length: number) =>
      Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, 'x'))
    const kept = (list: string[]) => look({ dnsPolicy: 'None', dnsConfig: { searches: list } }).looked.searches.length
    assert.equal(kept(searches(32, 10)), 32)
    assert.equal(kept(searches(33, 10)), 32)
    assert.equal(kept(searches(10, 250)), 8)
    assert.equal(kept([...searches(2, 10), 'y'.repeat(254)]), 2)
    const { warnings } = look({ dnsPolicy: 'None', dnsConfig: { searches: ['a', 'y'.repeat(254)] } })
    assert.deepEqual(warnings, [
      'DNSConfigForming: Search Line limits were exceeded, some search paths have been omitted, the applied search line is: a',
    ])
  })
})

describe('a resolv.conf', () => {
  test('every server counts, the last search and options count, comments do not', () => {
    const text =
      '# hi\nsearch old.example\n\nnameserver 1.1.1.1\n nameserver\t2.2.2.2 # second\n;x\nsearch a.example. b\noptions a b:1\n'
    assert.deepEqual(parseResolver(text), {
      servers: ['1.1.1.1', '2.2.2.2'],
      searches: ['a.example', 'b'],
      options: ['a', 'b:1'],
    })
  })

  test('a server without an address is an error', () => {
    assert.throws(() => parseResolver('nameserver\n'), { message: 'nameserver list is empty ' })
  })
})

function look(spec: Partial<PodSpec>, dependencies: Partial<ResolverOptions> = {}) {
  const warnings: string[] = []
  const looked = podResolver(testPod(spec), {
    host,
    clusterDns: ['10.0.0.10'],
    clusterDomain: 'cluster.local',
    hostAddresses: ['192.0.2.7'],
    warn: (reason, message) => warnings.push(`${reason}: ${message}`),
    ...dependencies,
  })
  return { looked, warnings }
}
