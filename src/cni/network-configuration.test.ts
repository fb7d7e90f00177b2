import assert from 'node:assert/strict'
import { test } from 'node:test'
import { masqueradeChain, removalOf } from './masquerade.js'
import { networkConfiguration } from './network-configuration.js'

const network = { cniVersion: '1.0.0', name: 'pods', bridge: 'cni0', ranges: ['10.200.0.0/24'], hasPacketFilter: true }

test('the configuration is that of the seeds, with ports', () => {
  assert.deepEqual(networkConfiguration(network), {
    cniVersion: '1.0.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isGateway: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: { type: 'host-local', ranges: [[{ subnet: '10.200.0.0/24' }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  })
})

test('without a packet filter, nothing is asked of it', () => {
  const { plugins } = networkConfiguration({ ...network, hasPacketFilter: false })
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
