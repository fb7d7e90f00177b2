import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { linuxHost } from './linux-host.js'
import { type AddressBook, nodeAddresses } from './node-addresses.js'
import { simulatedHost } from './node-host.js'
import { allocatableOf, capacityOf } from './node-resources.js'
import { Pressure } from './pressure.js'
import { parseThresholds, standardThresholds, thresholdsOf } from './thresholds.js'

const gigabyte = 2 ** 30

describe('allocatable resources', () => {
  const facts = async (more = {}) => simulatedHost({ cpus: 2, memory: 8 * gigabyte, ...more }).facts()

  test('are the capacity without reservations', async () => {
    const capacity = capacityOf(await facts(), 50 * gigabyte, {})
    assert.deepEqual(capacity, { cpu: '2', 'ephemeral-storage': '50Gi', memory: '8Gi', pods: '110' })
    const options = { systemReserved: { cpu: '200m', memory: '1Gi' }, kubeReserved: { cpu: '100m' } }
    const thresholds = thresholdsOf({ 'memory.available': '100Mi', 'nodefs.available': '20%' })
    assert.deepEqual(allocatableOf(capacity, options, thresholds), {
      cpu: '1700m',
      'ephemeral-storage': '42949672800', // with upstream's precision
      memory: '7068Mi',
      pods: '110',
    })
  })

  test('are never negative', async () => {
    const capacity = capacityOf(await facts(), gigabyte, {})
    const allocatable = allocatableOf(capacity, { systemReserved: { memory: '9Gi' } }, new Map())
    assert.equal(allocatable.memory, '0')
  })

  test('exclude the memory of huge pages', async () => {
    const hugePages = new Map([
      [2 * 2 ** 20, gigabyte],
      [gigabyte, 0],
    ])
    const capacity = capacityOf(await facts({ hugePages }), gigabyte, {})
    assert.equal(capacity['hugepages-2Mi'], '1Gi')
    assert.equal(capacity['hugepages-1Gi'], '0')
    assert.equal(allocatableOf(capacity, {}, new Map()).memory, '7Gi')
  })

  test('limit pods per core if configured', async () => {
    assert.equal(capacityOf(await facts(), 1, { podsPerCore: 10 }).pods, '20')
    assert.equal(capacityOf(await facts(), 1, { podsPerCore: 10, maxPods: 15 }).pods, '15')
  })
})

describe('thresholds', () => {
  test('are parsed from a flag', () => {
    assert.deepEqual(parseThresholds('memory.available<100Mi,nodefs.available<10%'), {
      'memory.available': '100Mi',
      'nodefs.available': '10%',
    })
  })

  test('of zero are ignored', () => {
    assert.equal(thresholdsOf({ 'nodefs.available': '0%', 'memory.available': '0' }).size, 0)
  })

  const wrong: readonly (readonly [signal: string, value: string])[] = [
    ['disk.available', '1'],
    ['nodefs.available', '101%'],
    ['memory.available', '-1'],
    ['memory.available', 'x'],
  ]
  for (const [signal, value] of wrong)
    test(`are not ${signal}<${value}`, () => assert.throws(() => thresholdsOf({ [signal]: value })))
  test('need a value', () => assert.throws(() => parseThresholds('memory.available=100Mi')))
})

describe('pressure', () => {
  const under = async (more: object, images?: string) => {
    const host = { ...simulatedHost(), ...more }
    const folders = () => ({ node: '/', images })
    return new Pressure({
      host,
      thresholds: thresholdsOf({ ...standardThresholds, 'pid.available': '10%' }),
      folders,
    }).measure(0)
  }
  const space = { capacity: 1000, available: 1000, inodes: 100, inodesFree: 100 }

  test('affects memory, disk or processes', async () => {
    const load = { memoryAvailable: 99 * 2 ** 20, processes: { most: 100, now: 91 } }
    assert.deepEqual(await under({ load: async () => load }), { memory: true, disk: false, processes: true })
    assert.deepEqual(await under({}), { memory: false, disk: false, processes: false })
  })

  test('affects the disk if space or inodes run out, for pods or for images', async () => {
    const measured = (low: object, path = '/') => ({
      measure: async (asked: string) => (asked === path ? { ...space, ...low } : space),
    })
    assert.equal((await under(measured({ available: 99 }))).disk, true)
    assert.equal((await under(measured({ available: 101 }))).disk, false)
    assert.equal((await under(measured({ inodesFree: 4 }))).disk, true)
    assert.equal((await under(measured({ available: 149 }, '/images'), '/images')).disk, true)
    assert.equal((await under(measured({ available: 149 }, '/images'))).disk, false)
    assert.equal((await under(measured({ inodes: 0, inodesFree: 0 }))).disk, false)
  })
})

describe('the addresses of a node', () => {
  const book = (more: Partial<AddressBook> = {}): AddressBook => ({
    interfaces: { lo: ['127.0.0.1', '::1'], eth0: ['192.0.2.1', 'fe80::1', '2001:db8::1'], eth1: ['192.0.2.2'] },
    defaultRoutes: async () => ['eth1'],
    resolve: async () => [],
    ...more,
  })
  const found = (nodeAddressesTold: readonly string[] | undefined, more?: Partial<AddressBook>, hostname = 'host') =>
    nodeAddresses({ hostname, ...(nodeAddressesTold && { nodeAddresses: nodeAddressesTold }) }, book(more))

  test('are the configured ones', async () => {
    assert.deepEqual(await found(['192.0.2.1', '2001:db8::1']), ['192.0.2.1', '2001:db8::1'])
  })
  test('are those of its hostname, if the host has them', async () => {
    assert.deepEqual(await found(undefined, { resolve: async () => ['127.0.1.1', '198.51.100.1', '192.0.2.1'] }), [
      '192.0.2.1',
    ])
  })
  test('are its hostname, if that is an address', async () => {
    assert.deepEqual(await found(undefined, {}, '203.0.113.1'), ['203.0.113.1'])
  })
  test('are those of the default route', async () => {
    assert.deepEqual(await found(undefined), ['192.0.2.2'])
  })
  test('have the configured family', async () => {
    assert.deepEqual(await found(['::']), ['2001:db8::1'])
  })
  test('are any without a default route, and loopback without a network', async () => {
    const defaultRoutes = async () => []
    assert.deepEqual(await found(undefined, { defaultRoutes }), ['192.0.2.1'])
    assert.deepEqual(await found(undefined, { defaultRoutes, interfaces: { lo: ['127.0.0.1'] } }), ['127.0.0.1'])
  })
  const wrong: readonly (readonly [address: string, problem: string])[] = [
    ['x', 'nodeIP must be a valid IP address'],
    ['127.0.0.1', "nodeIP can't be loopback address"],
    ['224.0.0.1', "nodeIP can't be a multicast address"],
    ['169.254.1.1', "nodeIP can't be a link-local unicast address"],
    ['198.51.100.1', 'node IP: "198.51.100.1" not found in the host\'s network interfaces'],
  ]
  for (const [address, problem] of wrong)
    test(`are not ${address}`, () =>
      assert.rejects(found([address]), { message: `failed to validate nodeIP: ${problem}` }))
})

describe('this host', () => {
  test('is described by its files', async () => {
    const root = mkdtempSync(join(tmpdir(), 'proa-machine-'))
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    write('proc/meminfo', 'MemTotal:       2048 kB\nMemAvailable:    512 kB\nSwapTotal:         4 kB\n')
    write('proc/loadavg', '0.1 0.2 0.3 2/345 6789\n')
    write('proc/sys/kernel/pid_max', '32768\n')
    write('proc/sys/kernel/random/boot_id', 'boot\n')
    write('etc/machine-id', 'id\n')
    write('etc/os-release', 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
    write('sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages', '3\n')
    const host = linuxHost(root)
    const { memory, swap, hugePages, machineId, systemUuid, bootId, osImage } = await host.facts()
    assert.deepEqual(
      { memory, swap, hugePages, machineId, systemUuid, bootId, osImage },
      {
        memory: 2 * 2 ** 20,
        swap: 4096,
        hugePages: new Map([[2 ** 21, 3 * 2 ** 21]]),
        machineId: 'id',
        systemUuid: 'id',
        bootId: 'boot',
        osImage: 'Debian GNU/Linux 12 (bookworm)',
      },
    )
    assert.deepEqual(await host.load(), { memoryAvailable: 2 ** 19, processes: { most: 32_768, now: 345 } })
    const { capacity, available } = await host.measure(root)
    assert.ok(capacity > 0 && available <= capacity)
    rmSync(root, { recursive: true })
  })
})
