import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ConfigMap } from '../../api/core/v1/config-map.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Secret } from '../../api/core/v1/secret.js'
import type { DownwardAPIVolumeFile } from '../../api/core/v1/volume/projection.js'
import type { HostPathType } from '../../api/core/v1/volume.js'
import { notFound } from '../../api/errors.js'
import { downwardApiFiles } from './downward-api.js'
import { hugePageSize, memorySize } from './empty-dir.js'
import { fileUser } from './file-volumes.js'
import { ensureHostPath } from './host-path.js'
import { staysInMemory } from './mounts.js'
import { nestedMountPoints } from './nested-mounts.js'
import { configMapFiles, secretFiles } from './object-files.js'

const podWith = (spec: object, metadata: object = {}) =>
  ({
    metadata: { name: 'p', namespace: 'n', uid: 'u', ...metadata },
    spec: { containers: [], ...spec },
  }) as unknown as Pod

describe('keys of objects as files', () => {
  const map = { data: { k: 'text' }, binaryData: { b: 'AAE=' } } as unknown as ConfigMap
  const text = { text: 'text', encoding: 'utf8' as const }

  test('are all of them by default', async () => {
    const files = await configMapFiles(Promise.resolve(map), { defaultMode: 0o444 })
    const binary = { text: 'AAE=', encoding: 'base64', mode: 0o444 }
    assert.deepEqual(
      [...files],
      [
        ['k', { ...text, mode: 0o444 }],
        ['b', binary],
      ],
    )
  })

  test('are the selected ones, with other paths and modes', async () => {
    const items = [{ key: 'k', path: 'deep/er', mode: 0o400 }]
    const files = await configMapFiles(Promise.resolve(map), { items, defaultMode: 0o644 })
    assert.deepEqual([...files], [['deep/er', { ...text, mode: 0o400 }]])
  })

  test('must exist unless they are optional', async () => {
    const items = [{ key: 'nope', path: 'p' }]
    const secret = Promise.resolve({ data: {} } as unknown as Secret)
    const projection = { items, defaultMode: 0o644 }
    await assert.rejects(configMapFiles(Promise.resolve(map), projection), {
      message: 'configmap references non-existent config key: nope',
    })
    await assert.rejects(secretFiles(secret, projection), { message: 'references non-existent secret key: nope' })
    assert.equal((await secretFiles(secret, { ...projection, optional: true })).size, 0)
  })

  test('need no object if it is optional', async () => {
    const missing = () => Promise.reject(notFound({ group: '', resource: 'configmap' }, 'nope'))
    await assert.rejects(configMapFiles(missing(), { defaultMode: 0 }), { message: 'configmap "nope" not found' })
    assert.equal((await configMapFiles(missing(), { defaultMode: 0, optional: true })).size, 0)
    const broken = Promise.reject(new Error('no answer'))
    await assert.rejects(configMapFiles(broken, { defaultMode: 0, optional: true }), { message: 'no answer' })
  })
})

describe('the downward API', () => {
  const container = {
    name: 'c',
    resources: { limits: { cpu: '1500m', memory: '100Mi' }, requests: { cpu: '100m', 'hugepages-2Mi': '4Mi' } },
  }
  const labels = { b: 'two "2"', a: '1' }
  const pod = podWith({ containers: [container, { name: 'open' }] }, { labels, annotations: { 'x/y': 'z\nz' } })

  const told = (item: Omit<DownwardAPIVolumeFile, 'path'>) => {
    const allocatable = { cpu: '8', memory: '16Gi' }
    return downwardApiFiles({ pod, items: [{ path: 'f', ...item }], defaultMode: 0, allocatable }).get('f')?.text
  }

  for (const [path, value] of [
    ['metadata.labels', 'a="1"\nb="two \\"2\\""'],
    ['metadata.annotations', 'x/y="z\\nz"'],
    ["metadata.labels['a']", '1'],
    ["metadata.annotations['nope']", ''],
    ['metadata.name', 'p'],
    ['metadata.namespace', 'n'],
    ['metadata.uid', 'u'],
  ] as const)
    test(path, () => assert.equal(told({ fieldRef: { fieldPath: path } }), value))

  for (const [resource, divisor, containerName, value] of [
    ['limits.cpu', '1m', 'c', '1500'],
    ['limits.cpu', undefined, 'c', '2'],
    ['limits.cpu', '0', 'c', '2'],
    ['requests.cpu', '1', 'c', '1'],
    ['limits.memory', '1Mi', 'c', '100'],
    ['limits.memory', '1M', 'c', '105'],
    ['requests.memory', '1', 'c', '0'],
    ['requests.hugepages-2Mi', '1Mi', 'c', '4'],
    ['limits.cpu', '1', 'open', '8'],
    ['limits.memory', '1Gi', 'open', '16'],
    ['requests.memory', '1', 'open', '0'],
  ] as const)
    test(`${resource} of ${containerName} by ${divisor ?? 'nothing'}`, () => {
      const asked = { containerName, resource, ...(divisor !== undefined && { divisor }) }
      assert.equal(told({ resourceFieldRef: asked }), value)
    })

  test('rejects other fields', () => {
    const items = [
      { path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } },
      { path: 'b', resourceFieldRef: { containerName: 'nope', resource: 'limits.cpu' } },
      { path: 'c', resourceFieldRef: { containerName: 'c', resource: 'limits.pods' } },
    ]
    const message =
      '[unsupported fieldPath: spec.nodeName, container nope not found, unsupported container resource : limits.pods]'
    assert.throws(() => downwardApiFiles({ pod, items, defaultMode: 0o644, allocatable: {} }), { message })
  })
})

describe('a host path', () => {
  let folder: string
  const server = createServer()
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proa-host-'))
    mkdirSync(join(folder, 'folder'))
    writeFileSync(join(folder, 'file'), '')
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve))
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const check = (name: string, type: HostPathType) => ensureHostPath({ path: join(folder, name), type })
  const refused = (name: string, type: HostPathType, called: string) =>
    assert.throws(() => check(name, type), {
      message: `hostPath type check failed: ${join(folder, name)} is not a ${called}`,
    })

  test('has the expected type', () => {
    check('folder', 'Directory')
    check('folder', 'DirectoryOrCreate')
    check('file', 'File')
    check('file', 'FileOrCreate')
    check('socket', 'Socket')
    check('nowhere', '')
    ensureHostPath({ path: '/dev/null', type: 'CharDevice' })
  })

  test('is rejected otherwise', () => {
    refused('file', 'Directory', 'directory')
    refused('nowhere', 'Directory', 'directory')
    refused('file', 'DirectoryOrCreate', 'directory')
    refused('folder', 'File', 'file')
    refused('folder', 'FileOrCreate', 'file')
    refused('file', 'Socket', 'socket file')
    refused('file', 'CharDevice', 'character device')
    refused('file', 'BlockDevice', 'block device')
    assert.throws(() => ensureHostPath({ path: '/a/../b', type: '' }), {
      message: "invalid HostPath `/a/../b`: must not contain '..'",
    })
  })

  test('is created', () => {
    check('made/deep', 'DirectoryOrCreate')
    assert.equal(statSync(join(folder, 'made/deep')).mode & 0o777, 0o755)
    check('made/file', 'FileOrCreate')
    assert.equal(statSync(join(folder, 'made/file')).mode & 0o777, 0o644)
  })
})

describe('a volume in memory', () => {
  const limited = (memory: string) => ({ resources: { limits: { memory } } })
  for (const [name, spec, source, allocatable, size] of [
    ['is as large as it says', {}, { sizeLimit: '1Mi' }, '8Gi', 2n ** 20n],
    ['is no larger than all pods together', {}, { sizeLimit: '9Gi' }, '8Gi', 2n ** 33n],
    ['is as large as all pods together', {}, {}, '8Gi', 2n ** 33n],
    ['is no larger than its pod', { containers: [limited('1Mi'), limited('1Mi')] }, {}, '8Gi', 2n ** 21n],
    ['knows no bound of a pod without limits', { containers: [limited('1Mi'), {}] }, {}, '8Gi', 2n ** 33n],
    ['takes the limit of the pod as a whole', { containers: [{}], ...limited('3Mi') }, {}, '8Gi', 3n * 2n ** 20n],
    ['takes no notice of nothing', { containers: [{}] }, { sizeLimit: '0' }, '8Gi', 2n ** 33n],
    ['has no bound where none is known', { containers: [{}] }, {}, undefined, undefined],
  ] as const)
    test(name, () => assert.equal(memorySize(podWith({ containers: [{}], ...spec }), source, allocatable), size))

  test('is kept out of swap if the kernel supports it', () => {
    const everybody = '         0          0 4294967295\n'
    const kernels = ['5.15.0-x', '6.3.9', '6.4.0', '6.18.44-fc', '7.0']
    assert.deepEqual(
      kernels.map((kernel) => staysInMemory(kernel, everybody).length),
      [0, 0, 1, 1, 1],
    )
    assert.deepEqual(staysInMemory('6.18', '0 100000 65536'), [], 'but not in a user namespace')
  })

  test('of huge pages has the page size that the pod requests', () => {
    const asks = (...sizes: string[]) =>
      podWith({ containers: sizes.map((size) => ({ resources: { requests: { [`hugepages-${size}`]: '1Gi' } } })) })
    assert.equal(hugePageSize('HugePages', asks('2Mi')), '2Mi')
    assert.equal(hugePageSize('HugePages-1Gi', asks('2Mi', '1Gi')), '1Gi')
    assert.throws(() => hugePageSize('HugePages', asks('2Mi', '1Gi')), {
      message: "medium: HugePages can't be used if container requests multiple huge page sizes",
    })
    assert.throws(() => hugePageSize('HugePages-1Gi', asks('2Mi')), {
      message: 'medium HugePages-1Gi: hugePages storage requested, but there is no resource request for huge pages',
    })
  })
})

test('nested mount points are the outermost ones', () => {
  const mounts = (...pairs: readonly (readonly [string, string])[]) => ({
    volumeMounts: pairs.map(([name, mountPath]) => ({ name, mountPath })),
  })
  const pod = podWith({
    containers: [mounts(['v', '/a'], ['w', '/a/b/c'], ['x', '/a/b/c/d'], ['y', '/ab'])],
    initContainers: [mounts(['v', '/z/'], ['w', '/z/q/'])],
  })
  assert.deepEqual(nestedMountPoints(pod, 'v'), ['b/c', 'q'])
  assert.deepEqual(nestedMountPoints(pod, 'w'), ['d'])
})

test('a token belongs to the only user of all containers', () => {
  const as = (runAsUser?: number) => (runAsUser === undefined ? {} : { securityContext: { runAsUser } })
  assert.equal(fileUser(podWith({ containers: [as(5), as(5)] })), 5)
  assert.equal(fileUser(podWith({ containers: [as(5), {}], ...as(5) })), 5)
  assert.equal(fileUser(podWith({ containers: [as(5), as(6)] })), undefined)
  assert.equal(fileUser(podWith({ containers: [as(5), {}] })), undefined)
})
