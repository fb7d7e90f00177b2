import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { silentLogger } from '../base/logging.js'
import { findProgram, outputOf } from '../base/programs.js'
import {
  type ContainerHarness,
  createContainerHarness,
  networkPluginFolder,
  removeContainerHarness,
} from '../testing/containers/container-harness.js'
import { containersMissing } from '../testing/containers/container-packages.js'
import { masqueradeTableName } from './masquerade-table.js'
import { masqueradeChain } from './plugin-masquerade.js'
import { PodNetwork, type PodNetworkOptions } from './pod-network.js'
import { ip, PluggedSandbox } from './sandbox.test.kit.js'

const skip = await containersMissing()

describe('the network of a node, with the real plugins', { skip }, () => {
  let world: ContainerHarness
  let network: PodNetwork
  let pluginFolder: string
  let sandboxes: PluggedSandbox[]
  let file: string
  beforeEach(async () => {
    pluginFolder = networkPluginFolder()
    world = await createContainerHarness()
    sandboxes = []
    network = networkOf()
    file = join(world.folder, 'net.d', '10-proa.conflist')
  })
  afterEach(async () => {
    for (const sandbox of sandboxes) await sandbox.removeNamespace()
    await network.reset()
    assert.equal(existsSync(`/sys/class/net/${world.bridge}`), false, 'the bridge is gone')
    await removeContainerHarness(world)
  })

  const networkOf = (masquerade: PodNetworkOptions['masquerade'] = 'table') =>
    new PodNetwork({
      masquerade,
      configurationFolder: join(world.folder, 'net.d'),
      pluginFolder,
      log: silentLogger,
      name: world.bridge,
      bridge: world.bridge,
      addressesFolder: join(world.folder, 'addresses'),
      cacheFolder: join(world.folder, 'cache'),
    })
  const plugIn = async (hostPort?: number) => {
    const sandbox = new PluggedSandbox(world, pluginFolder)
    sandboxes.push(sandbox)
    const ports = hostPort === undefined ? [] : [{ hostPort, containerPort: 80, protocol: 'tcp' as const }]
    return { sandbox, address: await sandbox.plugIn(file, ports) }
  }
  const taken = () => readdirSync(join(world.folder, 'addresses', world.bridge)).filter((name) => /^[\d.]+$/.test(name))
  const cables = () => readdirSync(`/sys/class/net/${world.bridge}/brif`)
  const rules = () => outputOf({ program: findProgram('iptables-save')!, args: ['-t', 'nat'] })
  const later = () => Date.now() + 60_000

  test('a sandbox gets an address of the range, and a dead one loses all that it had', async () => {
    network = networkOf('plugin')
    assert.equal(await network.configure([world.podRange]), 'written')
    const living = await plugIn()
    const dead = await plugIn(41_000 + (process.pid % 1000))
    assert.deepEqual(taken(), [living.address, dead.address].sort())
    assert.deepEqual(await network.releaseUnused(new Set([living.sandbox.id]), later()), [dead.address])
    assert.deepEqual(taken(), [living.address])
    assert.equal(cables().length, 1)
    assert.deepEqual(readdirSync(join(world.folder, 'cache', 'results')), [`${world.bridge}-${living.sandbox.id}-eth0`])
    const left = await rules()
    assert.ok(left.includes(masqueradeChain(world.bridge, living.sandbox.id)))
    assert.ok(!left.includes(dead.sandbox.id), 'no rule of the dead one is left')
    assert.ok(!left.includes(dead.address))
  })

  test('one whose namespace is gone loses its rules too, also to a kubelet that was started after it', async () => {
    network = networkOf('plugin')
    await network.configure([world.podRange])
    const { sandbox, address } = await plugIn()
    await sandbox.removeNamespace()
    sandboxes = []
    network = networkOf('plugin')
    assert.deepEqual(await network.releaseUnused(new Set(), later()), [address])
    assert.deepEqual(taken(), [])
    assert.ok(!(await rules()).includes(masqueradeChain(world.bridge, sandbox.id)))
  })

  test('what the runtime may just be making is let be', async () => {
    await network.configure([world.podRange])
    const { address, sandbox } = await plugIn()
    const made = new Date(1_000_000)
    utimesSync(join(world.folder, 'addresses', world.bridge, address), made, made)
    assert.deepEqual(await network.releaseUnused(new Set(), made.getTime()), [])
    assert.deepEqual(taken(), [address])
    assert.deepEqual(await network.releaseUnused(new Set([sandbox.id]), later()), [], 'nor is a living one touched')
    assert.deepEqual(await network.releaseUnused(new Set(), made.getTime() + 1), [address])
  })

  test('the configuration follows the ranges of the node', async () => {
    const subnets = () => JSON.parse(readFileSync(file, 'utf8')).plugins[0].ipam.ranges
    assert.equal(await network.configure([world.podRange]), 'written')
    assert.equal(await network.configure([world.podRange]), 'unchanged')
    assert.equal(await networkOf().configure([world.podRange]), 'unchanged', 'after a restart')
    assert.equal(await network.configure(['10.1.2.0/24', 'fd00::/64']), 'written')
    assert.deepEqual(subnets(), [[{ subnet: '10.1.2.0/24' }], [{ subnet: 'fd00::/64' }]])
    assert.deepEqual(readdirSync(join(world.folder, 'net.d')), ['10-proa.conflist'])
  })

  test('a configuration of somebody else counts, and ours goes', async () => {
    await network.configure([world.podRange])
    writeFileSync(join(world.folder, 'net.d', '99-theirs.conf'), '{}')
    assert.equal(await network.configure([world.podRange]), 'foreign')
    assert.deepEqual(readdirSync(join(world.folder, 'net.d')), ['99-theirs.conf'])
  })

  test('a sandbox reaches the world, which does not know its address', async () => {
    await network.configure([world.podRange])
    const { sandbox } = await plugIn()
    const outside = `${world.bridge}-w`
    const cable = `${world.bridge}w`
    await ip('netns', 'add', outside)
    try {
      await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', outside)
      await ip('address', 'add', '198.51.100.1/30', 'dev', cable)
      await ip('link', 'set', cable, 'up')
      await ip('-n', outside, 'address', 'add', '198.51.100.2/30', 'dev', 'eth0')
      await ip('-n', outside, 'link', 'set', 'eth0', 'up')
      const ping = () => ip('netns', 'exec', sandbox.namespace, 'busybox', 'ping', '-c', '1', '-W', '2', '198.51.100.2')
      assert.match(await ping(), /1 packets received/)
      await network.configure(['10.191.255.224/27'])
      await assert.rejects(ping(), 'the rule is for the range alone')
    } finally {
      await ip('netns', 'delete', outside)
    }
    await network.reset()
    const tables = await outputOf({ program: findProgram('nft')!, args: ['list', 'tables'] })
    assert.ok(!tables.includes(masqueradeTableName(world.bridge)))
  })
})
