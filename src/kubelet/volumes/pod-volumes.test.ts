import assert from 'node:assert/strict'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Pod } from '../../api/core/v1/pod.js'
import { mountsIn } from '../../cri/containerd/leftovers.js'
import { mountsFor } from './mounts.js'
import { VolumeSetupError } from './volumes.js'
import { namespace, until, VolumesHarness } from './volumes.test.kit.js'

const skip = process.getuid?.() === 0 ? false : 'mounting takes root'

describe('the volumes of a pod', { skip }, () => {
  let node: VolumesHarness
  before(async () => {
    node = await VolumesHarness.start()
    await node.configMap('m', { k: 'v', other: 'o' })
    await node.secret('s', { user: 'u' })
  })
  after(() => node.close())

  const pathOf = async (pod: Pod, volume: string) => (await node.volumes.ensure(pod)).get(volume)!.path
  const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8)
  const read = (path: string) => readFileSync(path, 'utf8')
  const visible = (path: string) => readdirSync(path).filter((name) => !name.startsWith('..'))

  test("have the expected contents and upstream's paths", async () => {
    const sources = [
      { configMap: { name: 'm', items: [{ key: 'k', path: 'm/k', mode: 0o400 }] } },
      { secret: { name: 's' } },
      { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    ]
    const volumes = [
      { name: 'all', projected: { sources } },
      { name: 'map', configMap: { name: 'm', defaultMode: 0o444 } },
      { name: 'secret', secret: { secretName: 's' } },
      { name: 'disk', emptyDir: {} },
      { name: 'mem', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
      { name: 'self', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { name: 'host', hostPath: { path: '/etc', type: 'Directory' } },
    ]
    const pod = await node.pod('contents', volumes, {}, { labels: { b: '2', a: '1' } })
    const mounted = await node.volumes.ensure(pod)
    const below = join(node.folder(pod), 'volumes')
    const expected = {
      all: ['kubernetes.io~projected/all', true],
      map: ['kubernetes.io~configmap/map', true],
      secret: ['kubernetes.io~secret/secret', true],
      disk: ['kubernetes.io~empty-dir/disk', false],
      mem: ['kubernetes.io~empty-dir/mem', false],
      self: ['kubernetes.io~downward-api/self', true],
    } as const
    for (const [name, [place, isReadOnly]] of Object.entries(expected))
      assert.deepEqual(mounted.get(name), { path: join(below, place), isReadOnly })
    assert.deepEqual(mounted.get('host'), { path: '/etc', isReadOnly: false })
    const [all, map] = ['all', 'map'].map((name) => mounted.get(name)!.path) as [string, string]
    assert.deepEqual(visible(all), ['labels', 'm', 'user'])
    assert.deepEqual(
      [read(join(all, 'labels')), read(join(all, 'user')), read(join(all, 'm/k'))],
      ['a="1"\nb="2"', 'u', 'v'],
    )
    assert.deepEqual([mode(join(all, 'm/k')), mode(join(all, 'user')), mode(join(map, 'k'))], ['400', '644', '444'])
    assert.equal(mode(mounted.get('disk')!.path), '777')
    assert.equal(read(join(mounted.get('self')!.path, 'name')), 'contents')
    const inMemory = mountsIn(node.folder(pod)).map((path) => path.split('/').at(-1))
    assert.deepEqual(inMemory.sort(), ['all', 'mem', 'secret', 'self'])
    const table = read('/proc/self/mountinfo')
      .split('\n')
      .find((line) => line.includes(mounted.get('mem')!.path))
    assert.match(table!, / - tmpfs tmpfs rw,size=1024k/)
  })

  test('are set up only if a container mounts them', async () => {
    const pod = await node.pod('unused', [{ name: 'v', emptyDir: {} }], {
      containers: [{ name: 'c', image: 'i' }],
    })
    assert.equal((await node.volumes.ensure(pod)).size, 0)
    assert.deepEqual(readdirSync(node.folder(pod)), ['plugins', 'volumes'])
  })

  test('are refreshed soon after their objects change', async () => {
    await node.configMap('live', { k: 'old', gone: 'x' })
    const pod = await node.pod('live', [{ name: 'v', configMap: { name: 'live' } }])
    const path = await pathOf(pod, 'v')
    const maps = node.admin.resource(ConfigMap).in(namespace)
    await maps.patch('live', 'merge', { data: { k: 'new', gone: null, more: 'y' } })
    await until(() => read(join(path, 'k')) === 'new')
    assert.deepEqual(visible(path), ['k', 'more'])
    await maps.delete('live')
    await until(() => node.told.length > 0)
    assert.deepEqual(node.told.splice(0), ['MountVolume.SetUp failed for volume "v" : configmap "live" not found'])
    assert.equal(read(join(path, 'k')), 'new', 'containers keep what they have')
    assert.equal(await pathOf({ ...pod }, 'v'), path)
    await node.configMap('live', { k: 'again' })
    await until(() => read(join(path, 'k')) === 'again')
  })

  test('have new labels with the next sync', async () => {
    const items = [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }]
    const pod = await node.pod('labels', [{ name: 'v', downwardAPI: { items } }], {}, { labels: { a: '1' } })
    const path = await pathOf(pod, 'v')
    const changed = await node.admin
      .resource(Pod)
      .in(namespace)
      .patch('labels', 'merge', { metadata: { labels: { a: '2' } } })
    await node.volumes.ensure(changed)
    assert.equal(read(join(path, 'labels')), 'a="2"')
  })

  test('do not touch the disk if nothing changed', async () => {
    const pod = await node.pod('same', [
      { name: 'v', configMap: { name: 'm' } },
      { name: 'd', emptyDir: {} },
    ])
    await node.volumes.ensure(pod)
    rmSync(node.folder(pod), { recursive: true }) // no sync runs, so nothing notices it
    await node.volumes.ensure(pod)
    await node.volumes.ensure({ ...pod, status: { phase: 'Running' } })
    assert.equal(existsSync(node.folder(pod)), false)
  })

  test('report each error in upstream’s words', async () => {
    const volumes = [
      { name: 'a', configMap: { name: 'nope' } },
      { name: 'b', secret: { secretName: 'nope' } },
      { name: 'c', hostPath: { path: '/no/such/place', type: 'Directory' } },
      { name: 'd', configMap: { name: 'm', items: [{ key: 'nope', path: 'x' }] } },
      { name: 'e', projected: { sources: [{ secret: { name: 'nope' } }, { configMap: { name: 'none' } }] } },
      { name: 'f', nfs: { server: 'x', path: '/' } },
      { name: 'g', configMap: { name: 'nope', optional: true } },
    ]
    const pod = await node.pod('wrong', volumes)
    const error: unknown = await node.volumes.ensure(pod).catch((error: unknown) => error)
    assert.ok(error instanceof VolumeSetupError)
    const said = [error, ...error.others].map(({ volume, message }) => {
      const prefix = `MountVolume.SetUp failed for volume "${volume}" : `
      assert.ok(message.startsWith(prefix), message)
      return `${volume} ${message.slice(prefix.length)}`
    })
    assert.deepEqual(said, [
      'a configmap "nope" not found',
      'b secret "nope" not found',
      'c hostPath type check failed: /no/such/place is not a directory',
      'd configmap references non-existent config key: nope',
      'e [secret "nope" not found, configmap "none" not found]',
      'f nfs volumes are not supported by this kubelet',
    ])
    let first: string | undefined
    node.objects.onChange(() => {
      node.volumes.ensure(pod).catch((error: VolumeSetupError) => {
        first = error.volume
      })
    })
    await node.configMap('nope', { k: 'v' })
    await until(() => first === 'b')
    await node.admin.resource(ConfigMap).in(namespace).delete('nope')
  })

  test('belong to the group of the pod', async () => {
    const spec = { securityContext: { fsGroup: 2000, fsGroupChangePolicy: 'OnRootMismatch' } }
    const volumes = [
      { name: 'e', emptyDir: {} },
      { name: 'm', configMap: { name: 'm', defaultMode: 0o400 } },
    ]
    const pod = await node.pod('group', volumes, spec)
    const mounted = await node.volumes.ensure(pod)
    const [empty, map] = ['e', 'm'].map((name) => mounted.get(name)!.path) as [string, string]
    assert.deepEqual([mode(empty), statSync(empty).gid, statSync(empty).uid], ['2777', 2000, 0])
    assert.deepEqual([mode(join(map, 'k')), statSync(join(map, 'k')).gid], ['440', 2000])
    assert.equal(mode(join(map, '..data')), '2755')
  })

  test('have a token that only the containers’ user can read', async () => {
    const token = { projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'me' } }] } }
    const securityContext = { runAsUser: 1234 }
    const pod = await node.pod('token', [{ name: 't', ...token }], { securityContext })
    const file = join(await pathOf(pod, 't'), 'token')
    assert.deepEqual([mode(file), statSync(file).uid], ['600', 1234])
    const claims = JSON.parse(Buffer.from(read(file).split('.')[1]!, 'base64url').toString())
    assert.deepEqual([claims.aud, claims['kubernetes.io'].pod.name], [['me'], 'token'])
    const plain = await node.pod('plain', [{ name: 't', ...token }])
    assert.equal(mode(join(await pathOf(plain, 't'), 'token')), '644')
  })

  test('have mount points for nested volumes', async () => {
    const volumeMounts = [
      { name: 'm', mountPath: '/a' },
      { name: 'e', mountPath: '/a/b/c' },
    ]
    const volumes = [
      { name: 'm', configMap: { name: 'm' } },
      { name: 'e', emptyDir: {} },
    ]
    const pod = await node.pod('nested', volumes, { containers: [{ name: 'c', image: 'i', volumeMounts }] })
    assert.ok(statSync(join(await pathOf(pod, 'm'), 'b/c')).isDirectory())
  })

  test('are found by the next kubelet, with changes by containers', async () => {
    const volumes = [
      { name: 'd', emptyDir: {} },
      { name: 'mem', emptyDir: { medium: 'Memory' } },
      { name: 'm', configMap: { name: 'm' } },
    ]
    const spec = { securityContext: { fsGroup: 2000 } }
    const pod = await node.pod('found', volumes, spec)
    const mounted = await node.volumes.ensure(pod)
    const [disk, memory, map] = ['d', 'mem', 'm'].map((name) => mounted.get(name)!.path) as [string, string, string]
    for (const folder of [disk, memory]) writeFileSync(join(folder, 'mine'), 'kept')
    chownSync(disk, 5, 6)
    const generation = readdirSync(map)
    await node.restartVolumes()
    assert.deepEqual(await node.volumes.ensure(pod), mounted)
    for (const folder of [disk, memory]) assert.equal(read(join(folder, 'mine')), 'kept')
    assert.equal(statSync(disk).gid, 6)
    assert.deepEqual(readdirSync(map), generation)
    assert.equal(mountsIn(node.folder(pod)).length, 1, 'nothing is mounted twice')
  })

  test('are aborted when their pod is removed during the setup', async () => {
    const pod = await node.pod('early', [{ name: 'm', configMap: { name: 'm' } }])
    const ensuring = node.volumes.ensure(pod)
    ensuring.catch(() => {}) // checked below
    await node.volumes.remove(pod.metadata.uid!)
    await assert.rejects(ensuring, { message: 'the volumes of this pod are being removed' })
    assert.equal(existsSync(node.folder(pod)), false)
  })

  test('do not include foreign folders', async () => {
    const theirs = join(node.root, 'pods/whales')
    mkdirSync(theirs, { recursive: true })
    writeFileSync(join(theirs, 'humpback.jpg'), '')
    assert.ok(!(await node.volumes.known()).includes('whales'))
    rmSync(theirs, { recursive: true })
  })

  test('are removed with their pod, also by another kubelet, and nothing else is', async () => {
    const host = mkdtempSync(join(tmpdir(), 'proa-precious-'))
    writeFileSync(join(host, 'precious'), 'data')
    const volumes = [
      { name: 'd', emptyDir: {} },
      { name: 'mem', emptyDir: { medium: 'Memory' } },
      { name: 'h', hostPath: { path: host } },
      { name: 's', secret: { secretName: 's' } },
    ]
    const pod = await node.pod('gone', volumes)
    const mounted = await node.volumes.ensure(pod)
    symlinkSync(host, join(mounted.get('d')!.path, 'link'))
    const within = join(mounted.get('mem')!.path, 'within')
    mkdirSync(within)
    const bound = join(node.folder(pod), 'volume-subpaths')
    mkdirSync(bound)
    const mounts = mountsFor()
    await mounts.bind(host, bound)
    mounts.close()
    assert.equal(read(join(bound, 'precious')), 'data')
    await node.restartVolumes()
    assert.ok((await node.volumes.known()).includes(pod.metadata.uid!))
    await node.volumes.remove(pod.metadata.uid!)
    assert.equal(existsSync(node.folder(pod)), false)
    assert.deepEqual(mountsIn(node.folder(pod)), [])
    assert.ok(!(await node.volumes.known()).includes(pod.metadata.uid!))
    assert.equal(read(join(host, 'precious')), 'data')
    await node.volumes.remove(pod.metadata.uid!)
    rmSync(host, { recursive: true })
  })
})
