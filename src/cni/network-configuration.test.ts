import assert from 'node:assert/strict'
import { test } from 'node:test'
import { masqueradeRules } from './masquerade-table.js'
import { networkConfiguration } from './network-configuration.js'
import { masqueradeChain, removalOf } from './plugin-masquerade.js'

const network = {
  cniVersion: '1.0.0',
  name: 'pods',
  bridge: 'cni0',
  ranges: ['10.200.0.0/24'],
  masquerades: true,
  mapsPorts: true,
}

test('the configuration is that of the seeds, with ports', () => {
  assert.deepEqual(networkConfiguration(network), {
    cniVersion: '1.0.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isGateway: true,
        forceAddress: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: { type: 'host-local', ranges: [[{ subnet: '10.200.0.0/24' }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  })
})

test('without a packet filter, nothing is asked of it', () => {
  const { plugins } = networkConfiguration({ ...network, masquerades: false, mapsPorts: false })
  assert.deepEqual(
    plugins.map((plugin) => [plugin.type, 'ipMasq' in plugin && plugin.ipMasq]),
    [['bridge', false]],
  )
})

test('both families get a range and a way out', () => {
  const { plugins } = networkConfiguration({ ...network, ranges: ['10.200.0.0/24', 'fd00:1::/64'] })
  const { ipam } = plugins[0] as unknown as { ipam: { ranges: unknown; routes: unknown } }
  assert.deepEqual(ipam.ranges, [[{ subnet: '10.200.0.0/24' }], [{ subnet: 'fd00:1::/64' }]])
  assert.deepEqual(ipam.routes, [{ dst: '0.0.0.0/0' }, { dst: '::/0' }])
})

test('each family has a table of its own, made anew at one stroke', () => {
  const rules = masqueradeRules({ bridge: 'proa-0', ranges: ['10.200.0.0/24', 'fd00:1::/64'] })
  assert.deepEqual(rules.split('\n').slice(0, 4), [
    'add table ip pods_proa_0',
    'delete table ip pods_proa_0',
    'add table ip6 pods_proa_0',
    'delete table ip6 pods_proa_0',
  ])
  assert.ok(rules.includes('ip saddr 10.200.0.0/24 ip daddr != { 10.200.0.0/24, 224.0.0.0/4 } masquerade'))
  assert.ok(rules.includes('ip6 saddr fd00:1::/64 ip6 daddr != { fd00:1::/64, ff00::/8 } masquerade'))
})

test('only the chains of the dead are taken out of the packet filter, and the rules that lead to them', () => {
  const [dead, living] = [masqueradeChain('pods', 'dead'), masqueradeChain('pods', 'living')]
  assert.match(dead, /^CNI-[0-9a-f]{24}$/)
  const rule = (address: string, chain: string) =>
    `-A POSTROUTING -s ${address}/32 -m comment --comment "name: \\"pods\\" id: \\"x\\"" -j ${chain}`
  const saved = [
    '*nat',
    ':POSTROUTING ACCEPT [0:0]',
    `:${dead} - [0:0]`,
    `:${living} - [0:0]`,
    rule('10.0.0.2', dead),
    rule('10.0.0.3', living),
    `-A ${dead} -d 10.0.0.0/24 -j ACCEPT`,
    'COMMIT',
  ].join('\n')
  const expected = [rule('10.0.0.2', dead).replace('-A', '-D'), `-F ${dead}`, `-X ${dead}`]
  assert.deepEqual(removalOf(new Set([dead]), saved), expected)
  assert.deepEqual(removalOf(new Set([masqueradeChain('pods', 'unknown')]), saved), [])
})
