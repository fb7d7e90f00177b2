import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NetworkNamespaces, namespacesMissing } from '../../testing/containers/network-namespaces.js'
import { clusterNames } from './cluster-names.js'

const program = fileURLToPath(new URL('../../../bundle/bin/proa.cjs', import.meta.url))
const [address] = NetworkNamespaces.services

describe('A cluster on a machine whose gateway has service addresses', { skip: namespacesMissing() }, () => {
  const home = mkdtempSync(join(tmpdir(), 'proa-services-'))
  const folder = join(home, 'data')
  const cluster = ['--data-dir', folder, '--name', 'services']
  const table = `table inet services_${clusterNames(folder).bridge.replace('-', '_')}\n`
  const theirs = 'table ip theirs\n'
  let world: NetworkNamespaces
  before(async () => {
    world = await NetworkNamespaces.make()
    await world.run('host', ['nft', 'add', 'table', 'ip', 'theirs'])
  })
  after(async () => {
    await proa('down', ...cluster)
    await world.close()
    rmSync(home, { recursive: true })
  })

  const proa = (...args: readonly string[]) =>
    world.run('host', ['env', `HOME=${home}`, 'KUBECONFIG=', process.execPath, program, ...args])
  const up = () =>
    proa('up', ...cluster, '--port=0', '--bind-address=127.0.0.1', '--runtime=none', '--kubeconfig=-', '--detach')
  const tables = () => world.run('host', ['nft', 'list', 'tables'])
  const pid = () => JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')).pid as number
  const answer = (from: 'host' | 'pod') => world.call(from, { address })

  /** Resolves when the process is gone. */
  async function end(signal: NodeJS.Signals): Promise<void> {
    const number = pid()
    process.kill(number, signal)
    for (;;)
      try {
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${number}/status`, 'utf8'))) return
        await pause(10)
      } catch {
        return // there is no such process any more
      }
  }

  test('refuses them on the machine and in pods, until it is down', async () => {
    assert.equal(await answer('host'), 'stranger')
    await up()
    assert.deepEqual([await answer('host'), await answer('pod')], ['ECONNREFUSED', 'ECONNREFUSED'])
    await proa('down', ...cluster)
    assert.equal(await tables(), theirs)
    assert.deepEqual([await answer('host'), await answer('pod')], ['stranger', 'stranger'])
  })

  test('refuses them after it was killed, until down', async () => {
    await up()
    await end('SIGKILL')
    assert.equal(await answer('pod'), 'ECONNREFUSED')
    assert.equal(await tables(), `${theirs}${table}`)
    await proa('down', ...cluster)
    assert.equal(await tables(), theirs)
  })

  test('leaves no rules when it stops and no containers run on', async () => {
    await up()
    await end('SIGTERM')
    assert.equal(await tables(), theirs)
  })

  test('leaves no rules when it was killed and is reset', async () => {
    await up()
    await end('SIGKILL')
    await proa('reset', ...cluster, '--kubeconfig=-', '--yes')
    assert.equal(await tables(), theirs)
  })

  test('says so where a network of the machine is in the range', async () => {
    await world.ip('host', 'address add 10.96.200.1/24 dev stranger')
    const said = await up()
    assert.match(
      said,
      /note +the service range 10\.96\.0\.0\/16 overlaps 10\.96\.200\.0\/24, a network of this machine; choose/,
    )
  })
})
