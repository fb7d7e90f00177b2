import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { containersMissing } from '../../testing/containers/container-packages.js'
import { containerdConfiguration, containerdPaths } from './configuration.js'
import { cgroupMode, mayLowerOomScore } from './host-capabilities.js'
import { mountsIn } from './leftovers.js'
import { findPrograms } from './programs.js'
import { writeRegistryHost } from './registry-host.js'

const folder = mkdtempSync(join(tmpdir(), 'proa-configuration-'))
after(() => rmSync(folder, { recursive: true }))

const skip = await containersMissing()

describe('the configuration of a private containerd', () => {
  const programs = { containerd: '/c', ctr: '/ctr', runc: '/usr/sbin/runc', networkPlugins: '/usr/lib/cni' }
  const options = {
    paths: containerdPaths(folder),
    programs,
    sandboxImage: 'localhost/proa/pause:1',
    networkFolder: join(folder, 'net "d'),
    registryFolder: join(folder, 'registries'),
    mayLowerOomScore: false,
  }

  test('is valid for containerd, and names no path of another containerd', { skip }, () => {
    const file = join(folder, 'config.toml')
    writeFileSync(file, containerdConfiguration(options))
    const dumped = execFileSync('containerd', ['--config', file, 'config', 'dump'], { encoding: 'utf8' })
    const settings = {
      root: `${folder}/root`,
      state: `${folder}/state`,
      sandbox_image: 'localhost/proa/pause:1',
      restrict_oom_score_adj: true,
      netns_mounts_under_state_dir: true,
      SystemdCgroup: false,
      BinaryName: '/usr/sbin/runc',
      Root: `${folder}/runc`,
      bin_dir: '/usr/lib/cni',
      conf_dir: options.networkFolder,
      config_path: options.registryFolder,
    }
    for (const [name, value] of Object.entries(settings))
      assert.ok(dumped.includes(`${name} = ${JSON.stringify(value)}\n`), `${name} is not ${value}`)
    assert.doesNotMatch(dumped, /"\/((run|var\/lib|opt)\/(containerd|cni)|etc\/cni)/)
  })

  test('permits low OOM scores for critical pods if the host does', () => {
    assert.match(containerdConfiguration({ ...options, mayLowerOomScore: true }), /^restrict_oom_score_adj = false$/m)
  })

  test('has a file for each configured registry', () => {
    writeRegistryHost(options.registryFolder, { host: '127.0.0.1:5000', server: 'http://127.0.0.1:5000' })
    const file = join(options.registryFolder, '127.0.0.1:5000', 'hosts.toml')
    assert.match(execFileSync('cat', [file], { encoding: 'utf8' }), /^\[host\."http:\/\/127\.0\.0\.1:5000"\]$/m)
  })
})

describe('the host', () => {
  test('has a capability to lower OOM scores, or does not', () => {
    assert.equal(mayLowerOomScore('CapPrm:\t0\nCapEff:\t000001ffffffffff\n'), true)
    assert.equal(mayLowerOomScore('CapPrm:\t0\nCapEff:\t000001fffeffffff\n'), false)
    assert.equal(mayLowerOomScore('nothing'), false)
  })

  test('has cgroups v2, v1 or both', () => {
    const root = join(folder, 'cgroup')
    mkdirSync(join(root, 'unified'), { recursive: true })
    assert.equal(cgroupMode(root), 'v1')
    writeFileSync(join(root, 'unified/cgroup.controllers'), '')
    assert.equal(cgroupMode(root), 'hybrid')
    writeFileSync(join(root, 'cgroup.controllers'), '')
    assert.equal(cgroupMode(root), 'v2')
  })

  test('lists the mounts in a folder, innermost first, with any name', () => {
    const table = [
      '1 0 8:1 / / rw - ext4 x rw',
      '2 1 0:5 / /a rw - tmpfs x rw',
      '3 2 0:6 / /a/with\\040blank rw - tmpfs x rw',
      '4 3 0:7 / /a/with\\040blank/in rw - tmpfs x rw',
      '5 1 0:8 / /ab rw - tmpfs x rw',
      '',
    ].join('\n')
    assert.deepEqual(mountsIn('/a', table), ['/a/with blank/in', '/a/with blank'])
  })

  test('reports missing programs', () => {
    const found = findPrograms(join(folder, 'nowhere'))
    if ('missing' in found) assert.ok(found.missing.length > 0)
    else assert.match(found.found.containerd, /^\//)
  })
})
