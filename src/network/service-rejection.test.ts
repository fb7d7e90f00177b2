import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type NamespaceRole, NetworkNamespaces, namespacesMissing } from '../testing/containers/network-namespaces.js'
import { Nftables } from './nftables.js'
import { overlapping, rejectionRules, rejectUnserved, stopRejecting } from './service-rejection.js'

test('a range overlaps the networks with which it has addresses in common', () => {
  const networks = ['10.96.3.4/24', '10.97.0.1/16', '10.0.0.1/8', '127.0.0.1/8', 'fe80::1/64', 'fd00:10:96::5/120']
  assert.deepEqual(overlapping('10.96.0.0/16', networks), ['10.96.3.0/24', '10.0.0.0/8'])
  assert.deepEqual(overlapping('fd00:10:96::/112', networks), ['fd00:10:96::/120'])
  assert.deepEqual(overlapping('192.0.2.0/24', networks), [])
})

test('rules name nothing but the table of their own cluster', () => {
  const rules = rejectionRules({ cluster: 'proa-1a2b', ranges: ['10.96.0.0/16'], networks: [] })
  const tables = [...rules.matchAll(/^(?:add |delete )?table (.*?)(?: \{)?$/gm)].map(([, table]) => table)
  assert.deepEqual(new Set(tables), new Set(['inet services_proa_1a2b']))
  assert.ok(!/flush/.test(rules))
})

const [v4, v6] = NetworkNamespaces.services
const ranges = NetworkNamespaces.serviceRanges
const places: readonly NamespaceRole[] = ['host', 'pod']

describe('In the kernel', { skip: namespacesMissing() }, () => {
  let world: NetworkNamespaces
  let nftables: Nftables
  const rejection = { cluster: 'proa-one', ranges, networks: [] }
  const tables = () => world.run('host', ['nft', 'list', 'tables'])
  before(async () => {
    world = await NetworkNamespaces.make()
    nftables = new Nftables([...world.inside('host'), 'nft'])
  })
  beforeEach(() => rejectUnserved(nftables, rejection))
  after(() => world.close())

  for (const from of places)
    for (const address of [v4, v6])
      for (const protocol of ['tcp', 'udp'] as const)
        test(`${protocol} from the ${from} to ${address} is refused, and does not leave the machine`, async () => {
          const escaped = await world.escaped()
          // A sender on the machine itself is told so before anything is sent.
          const refusal = protocol === 'udp' && from === 'host' ? 'EPERM' : 'ECONNREFUSED'
          assert.equal(await world.call(from, { address, protocol }), refusal)
          assert.equal(await world.escaped(), escaped)
          await stopRejecting(nftables, rejection.cluster)
          assert.equal(await world.call(from, { address, protocol }), 'stranger', 'without the rules it does')
          assert.ok((await world.escaped()) > escaped)
        })

  test('all other addresses are reached as before', async () => {
    for (const from of places)
      for (const address of NetworkNamespaces.outside) assert.equal(await world.call(from, { address }), 'stranger')
  })

  test('a client with such an address is answered', async () => {
    await world.serve('host')
    for (const [address, source] of [
      ['198.51.100.1', '10.96.0.9'],
      ['2001:db8:51::1', 'fd00:10:96::9'],
    ] as const) {
      await world.ip('stranger', `address add ${source} dev lo`)
      assert.equal(await world.call('stranger', { address, source }), 'host')
    }
  })

  test('a service that somebody does serve is reached', async () => {
    const translation = `dnat ip to ${NetworkNamespaces.outside[0]}`
    const hooks = ['output', 'prerouting'].map(
      (hook) => `chain ${hook} { type nat hook ${hook} priority -100; ip daddr 10.96.0.7 ${translation}; }`,
    )
    await world.run('host', ['nft', '-f', '-'], `table inet theirs {\n${hooks.join('\n')}\n}\n`)
    for (const from of places) {
      assert.equal(await world.call(from, { address: '10.96.0.7' }), 'stranger')
      assert.equal(await world.call(from, { address: '10.96.0.8' }), 'ECONNREFUSED')
    }
    await world.run('host', ['nft', 'delete', 'table', 'inet', 'theirs'])
  })

  test('a network that the machine is on stays reachable, also if the range covers it', async () => {
    await world.ip('host', 'address add 10.96.200.1/24 dev stranger')
    await world.ip('stranger', 'address add 10.96.200.2/24 dev host')
    assert.equal(await world.call('host', { address: '10.96.200.2' }), 'ECONNREFUSED')
    await rejectUnserved(nftables, { ...rejection, networks: ['10.96.200.1/24'] })
    assert.equal(await world.call('host', { address: '10.96.200.2' }), 'stranger')
    assert.equal(await world.call('host', { address: v4 }), 'ECONNREFUSED')
  })

  test('rules of other programs and of other clusters stay when ours go', async () => {
    await world.run('host', ['nft', '-f', '-'], 'table ip filter {\n chain theirs {\n  accept\n }\n}\n')
    await rejectUnserved(nftables, { ...rejection, cluster: 'proa-two' })
    await stopRejecting(nftables, 'proa-one')
    await stopRejecting(nftables, 'proa-one')
    assert.equal(await tables(), 'table ip filter\ntable inet services_proa_two\n')
    assert.equal(await world.call('pod', { address: v4 }), 'ECONNREFUSED', 'by the other cluster’s rules')
    await stopRejecting(nftables, 'proa-two')
    await world.run('host', ['nft', 'delete', 'table', 'ip', 'filter'])
  })

  test('a second start replaces the rules of the first', async () => {
    await rejectUnserved(nftables, { ...rejection, ranges: ['10.97.0.0/16'] })
    assert.equal(await world.call('host', { address: v4 }), 'stranger')
    assert.equal(await tables(), 'table inet services_proa_one\n')
  })
})
