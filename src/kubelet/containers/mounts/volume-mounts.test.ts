import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type { VolumeMount } from '../../../api/core/v1/container.js'
import { mountsIn } from '../../../cri/containerd/leftovers.js'
import { mountsFor } from '../../volumes/mounts.js'
import { testContainer } from '../pod.test.kit.js'
import { type BindMounts, bindMountsFrom } from './bind-mounts.js'
import { volumeMounts } from './volume-mounts.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proa-mounts-'))
  mkdirSync(join(folder, 'volume'))
})
afterEach(() => {
  for (const point of mountsIn(folder)) execFileSync('umount', [point])
  rmSync(folder, { recursive: true })
})

const mount = (more: Partial<VolumeMount> = {}): VolumeMount => ({ name: 'v', mountPath: '/data', ...more })

async function mounted(
  mounts: readonly VolumeMount[],
  more: { isReadOnly?: boolean; supportsRecursiveReadOnly?: boolean; bind?: BindMounts } = {},
) {
  return await volumeMounts({
    container: testContainer({ volumeMounts: mounts }),
    volumes: new Map([['v', { path: join(folder, 'volume'), isReadOnly: more.isReadOnly ?? false }]]),
    variables: new Map([
      ['NAME', Buffer.from('web')],
      ['EMPTY', Buffer.from('')],
    ]),
    podFolder: join(folder, 'pod'),
    bindMounts: more.bind,
    supportsRecursiveReadOnly: more.supportsRecursiveReadOnly ?? false,
  })
}

describe('the mounts of a container', () => {
  test('a whole volume', async () => {
    assert.deepEqual(await mounted([mount({ mountPath: 'relative', mountPropagation: 'HostToContainer' })]), [
      {
        containerPath: '/relative',
        hostPath: join(folder, 'volume'),
        readonly: false,
        recursiveReadOnly: false,
        propagation: 'PROPAGATION_HOST_TO_CONTAINER',
      },
    ])
  })

  test('read-only by the mount or by the volume', async () => {
    const readonly = async (readOnly: boolean, isReadOnly: boolean) =>
      (await mounted([mount({ readOnly })], { isReadOnly }))[0]?.readonly
    assert.deepEqual(await Promise.all([readonly(true, false), readonly(false, true), readonly(false, false)]), [
      true,
      true,
      false,
    ])
  })

  test('recursively read-only if the runtime supports it', async () => {
    const recursive = async (recursiveReadOnly: 'Enabled' | 'IfPossible', supportsRecursiveReadOnly: boolean) =>
      (await mounted([mount({ readOnly: true, recursiveReadOnly })], { supportsRecursiveReadOnly }))[0]
        ?.recursiveReadOnly
    assert.equal(await recursive('Enabled', true), true)
    assert.equal(await recursive('IfPossible', true), true)
    assert.equal(await recursive('IfPossible', false), false)
    const refused = (more: Partial<VolumeMount>, why: string) =>
      assert.rejects(mounted([mount({ readOnly: true, recursiveReadOnly: 'Enabled', ...more })]), {
        message: `failed to resolve recursive read-only mode: volume "v" requested recursive read-only mode, but it is ${why}`,
      })
    await refused({}, 'not supported by the runtime')
    await refused({ readOnly: false }, 'not read-only')
    await refused({ mountPropagation: 'Bidirectional' }, 'not compatible with propagation "Bidirectional"')
  })

  test('a missing volume', async () => {
    await assert.rejects(mounted([mount({ name: 'none' })]), {
      message: 'cannot find volume "none" to mount into container "c"',
    })
  })

  test("sub-paths are created with the volume's mode, whatever the umask", async () => {
    chmodSync(join(folder, 'volume'), 0o2777)
    const [made] = await mounted([mount({ subPath: 'deep/er' })])
    assert.equal(made?.hostPath, join(folder, 'volume/deep/er'))
    assert.equal(statSync(join(folder, 'volume/deep')).mode & 0o7777, 0o2777)
    assert.equal(statSync(join(folder, 'volume/deep/er')).mode & 0o7777, 0o2777)
  })

  test('sub-paths with variables', async () => {
    const [made] = await mounted([mount({ subPathExpr: 'logs/$(NAME)' })])
    assert.equal(made?.hostPath, join(folder, 'volume/logs/web'))
    await assert.rejects(mounted([mount({ subPathExpr: '$(NONE)/$(EMPTY)' })]), {
      message: 'missing value for EMPTY, NONE',
    })
  })

  test('sub-paths that would leave the volume', async () => {
    const refused = (subPath: string, message: string) => assert.rejects(mounted([mount({ subPath })]), { message })
    await refused('/etc', 'error SubPath `/etc` must not be an absolute path')
    await refused('a/../..', "unable to provision SubPath `a/../..`: must not contain '..'")
    symlinkSync('/etc', join(folder, 'volume/link'))
    await refused('link', 'failed to create subPath directory for volumeMount "v" of container "c"')
    await refused('link/new', 'failed to create subPath directory for volumeMount "v" of container "c"')
    assert.equal(existsSync('/etc/new'), false)
  })

  test('sub-paths through links within the volume', async () => {
    mkdirSync(join(folder, 'volume/real'))
    symlinkSync('real', join(folder, 'volume/link'))
    const [made] = await mounted([mount({ subPath: 'link/new' })])
    assert.equal(made?.hostPath, join(folder, 'volume/real/new'))
  })
})

describe('sub-paths of running containers', { skip: process.getuid?.() !== 0 && 'needs root' }, () => {
  const mounts = mountsFor()
  const bind = bindMountsFrom(mounts)!
  const target = () => join(folder, 'pod/volume-subpaths/v/c/0')
  after(() => mounts.close())

  test('keep their target, whatever a container puts in its place', async () => {
    mkdirSync(join(folder, 'volume/sub'))
    writeFileSync(join(folder, 'volume/sub/file'), 'mine')
    const [made] = await mounted([mount({ subPath: 'sub' })], { bind })
    renameSync(join(folder, 'volume/sub'), join(folder, 'volume/other'))
    symlinkSync('/etc', join(folder, 'volume/sub'))
    assert.equal(made?.hostPath, target())
    assert.equal(readFileSync(join(target(), 'file'), 'utf8'), 'mine')
    await assert.rejects(mounted([mount({ subPath: 'sub' })], { bind }), {
      message: 'failed to create subPath directory for volumeMount "v" of container "c"',
    })
  })

  test('can be files', async () => {
    writeFileSync(join(folder, 'volume/file'), 'text')
    await mounted([mount({ subPath: 'file' })], { bind })
    assert.equal(readFileSync(target(), 'utf8'), 'text')
  })

  test('are mounted once, and again when their target changes', async () => {
    let count = 0
    const counting: BindMounts = {
      ...bind,
      mount: async (source, to) => {
        count++
        await bind.mount(source, to)
      },
    }
    await mounted([mount({ subPath: 'sub' })], { bind: counting })
    await mounted([mount({ subPath: 'sub' })], { bind: counting })
    assert.equal(count, 1)
    rmSync(join(folder, 'volume/sub'), { recursive: true })
    mkdirSync(join(folder, 'volume/sub'))
    writeFileSync(join(folder, 'volume/sub/new'), '')
    await mounted([mount({ subPath: 'sub' })], { bind: counting })
    assert.equal(count, 2)
    assert.ok(existsSync(join(target(), 'new')))
    rmSync(join(folder, 'volume/sub'), { recursive: true })
    writeFileSync(join(folder, 'volume/sub'), 'now a file')
    await mounted([mount({ subPath: 'sub' })], { bind: counting })
    assert.equal(readFileSync(target(), 'utf8'), 'now a file')
    assert.equal(mountsIn(folder).length, 1)
  })
})
