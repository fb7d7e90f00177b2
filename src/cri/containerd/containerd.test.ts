import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import { contentChunks } from '../../base/tar/writer.js'
import { busyboxImage } from '../../testing/containers/busybox-image.js'
import {
  type ContainerHarness,
  createContainerHarness,
  removeContainerHarness,
  writeNetworkConfiguration,
} from '../../testing/containers/container-harness.js'
import { containerLeftOvers } from '../../testing/containers/container-left-overs.js'
import { containersMissing } from '../../testing/containers/container-packages.js'
import { RuntimeHarness, shellProgram, sleepProgram } from '../../testing/cri/contract/runtime-harness.js'
import { buildImage } from '../images/build/image-build.js'
import { helloImages } from '../images/hello-image.js'
import { packImage } from '../images/image-archive.js'
import { serveImages } from '../images/image-registry.js'
import { containerdPaths } from './configuration.js'
import { type Containerd, startContainerd } from './containerd.js'
import { imageNames, importImages } from './image-transfer.js'
import { mountsIn, shimsOf } from './leftovers.js'
import { signalProcess } from './processes.js'
import { writeRegistryHost, writeRegistryMirror } from './registry-host.js'

const skip = await containersMissing()
const image = 'localhost/proa/busybox:1'
const alive = setInterval(() => {}, 60_000) // timers of a clock do not keep the process alive
after(() => clearInterval(alive))

/** A harness for sandboxes and containers only. */
function harnessFor({ runtime }: Containerd, { folder, cgroupParent }: ContainerHarness): RuntimeHarness {
  const unused = () => Promise.reject(new Error('not implemented in this harness'))
  const registry = { open: '', guarded: '', missing: '', username: '', password: '' }
  const unusedMembers = { lacks: {}, memoryLimit: unused, restart: unused, close: unused }
  return new RuntimeHarness({ runtime, folder, image, cgroupParent, registry, ...unusedMembers })
}

describe('a private containerd', { skip }, () => {
  let host: ContainerHarness
  before(async () => {
    host = await createContainerHarness()
    writeNetworkConfiguration(join(host.folder, 'net.d'), host)
  })
  after(() => removeContainerHarness(host))
  const start = (options = {}) => startContainerd({ folder: host.folder, environment: environment(), ...options })

  test('keeps all files in its folder and locks it', async () => {
    await using containerd = await start()
    assert.equal(containerd.endpoint, `unix://${host.folder}/containerd.sock`)
    await assert.rejects(start(), /is in use by another process/)
    assert.match(readFileSync(containerd.logFile, 'utf8'), /containerd successfully booted/)
    const { images } = await containerd.runtime.listImages({})
    assert.deepEqual(
      images.flatMap(({ repoTags }) => repoTags),
      ['localhost/proa/pause:1'],
    )
  })

  test('keeps its containers running on request, and adopts them at the next start', async () => {
    const first = await start()
    await first.addImages([busyboxImage(image)])
    const sandbox = await harnessFor(first, host).sandbox()
    const containerId = await sandbox.start('main', sleepProgram)
    await first.close({ containers: 'keep' })
    assert.equal(shimsOf(containerdPaths(host.folder)).length, 1)
    await using second = await start()
    const { status } = await second.runtime.containerStatus({ containerId })
    assert.equal(status?.state, 'CONTAINER_RUNNING')
  })

  test('replaces a containerd whose parent was killed', async () => {
    const ready = `
      import { environment } from ${JSON.stringify(new URL('../../base/environment.js', import.meta.url).href)}
      import { startContainerd } from ${JSON.stringify(new URL('./containerd.js', import.meta.url).href)}
      setInterval(() => {}, 1000)
      await startContainerd({ folder: ${JSON.stringify(host.folder)}, environment: environment() })
      console.log('ready')`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', ready], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(parent.stdout, 'data')
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await using containerd = await start()
    assert.ok(containerd.pid)
  })

  test('leaves no process, mount or namespace when it is closed after a kill', async () => {
    const containerd = await start({ restart: false })
    await containerd.addImages([busyboxImage(image)])
    const harness = harnessFor(containerd, host)
    for (const name of ['one', 'two']) await (await harness.sandbox()).start(name, sleepProgram)
    signalProcess(containerd.pid!, 'SIGKILL')
    while (containerd.pid) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.ok(mountsIn(host.folder).length > 0)
    await containerd.close()
    assert.deepEqual(
      containerLeftOvers(host).filter((line) => /^(process|mount|socket) /.test(line)),
      [],
    )
    // CNI has not released the addresses yet. The next containerd on this folder does.
    await using next = await start()
    await harnessFor(next, host).clear()
  })

  test('reports why it does not start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proa-broken-'))
    mkdirSync(join(folder, 'root/io.containerd.metadata.v1.bolt'), { recursive: true })
    writeFileSync(join(folder, 'root/io.containerd.metadata.v1.bolt/meta.db'), 'no database'.repeat(1000))
    await assert.rejects(
      startContainerd({ folder, environment: environment(), restart: false }),
      /^Error: containerd (exited|is not usable): .*\n.*invalid database/s,
    )
    const long = join(folder, 'x'.repeat(100))
    await assert.rejects(startContainerd({ folder: long, environment: environment() }), /too long a path/)
    assert.equal(existsSync(long), false)
    rmSync(folder, { recursive: true })
  })
})

describe('in a private containerd', { skip }, () => {
  let host: ContainerHarness
  let containerd: Containerd
  let harness: RuntimeHarness
  before(async () => {
    host = await createContainerHarness()
    writeNetworkConfiguration(join(host.folder, 'net.d'), host)
    containerd = await startContainerd({ folder: host.folder, environment: environment() })
    await containerd.addImages([busyboxImage(image)])
    harness = harnessFor(containerd, host)
  })
  afterEach(() => harness.clear())
  after(async () => {
    await containerd.close()
    await removeContainerHarness(host)
  })

  test('the pause program reaps the orphans of a pod with a shared process namespace', async () => {
    const { runtime } = containerd
    const linux = { securityContext: { namespaceOptions: { pid: 'POD' } } } as const
    const sandbox = await harness.sandbox({ linux: { ...linux, cgroupParent: `${host.cgroupParent}/shared` } })
    const containerId = await sandbox.start('main', sleepProgram, { linux })
    const exec = async (script: string) =>
      (await runtime.execSync({ containerId, cmd: ['sh', '-c', script], timeout: 20 })).stdout.toString()
    assert.match(await exec('ps -o pid,args'), /^ +1 \/pause$/m)
    await exec('for i in 1 2 3; do (sleep 0.1 & exit) & done; wait')
    await harness.until(async () => (/defunct|sleep 0.1|\[sleep\]/.test(await exec('ps -o args')) ? undefined : true))
  })

  test('the hello image responds on the address of its pod', async () => {
    await containerd.addImages(await helloImages())
    const sandbox = await harness.sandbox()
    // No command: the image defines it.
    await sandbox.start('hello', { command: [], behaviour: {} }, { image: { image: 'docker.io/proa/hello:1' } })
    const { status } = await containerd.runtime.podSandboxStatus({ podSandboxId: sandbox.id })
    const answer = await harness.until(() =>
      fetch(`http://${status?.network?.ip}/`).then(
        (response) => response.text(),
        () => undefined,
      ),
    )
    assert.equal(answer, `Hello from ${sandbox.config.hostname}\n`)
  })

  test('images come from the mirror first, and from the registry if the mirror does not have them', async () => {
    const mirror = await serveImages(helloImages)
    const server = await serveImages(async () => [busyboxImage('registry.test/team/busybox:1')])
    const place = { host: 'registry.test', server: server.url, mirror: mirror.url }
    assert.equal(writeRegistryMirror(containerd.registryFolder, place), true)
    const pull = (name: string) => containerd.runtime.pullImage({ image: { image: name } })
    for (const name of ['proa/hello', 'proa/hello:2', 'team/busybox:1']) await pull(`registry.test/${name}`)
    await pull('registry.test/proa/hello') // a present image can be pulled again
    await assert.rejects(pull('registry.test/team/nothing:1'), /registry.test\/team\/nothing:1: not found/)
    await Promise.all([mirror.close(), server.close()])
  })

  test('a registry file of the user stays unchanged', () => {
    writeRegistryHost(containerd.registryFolder, { host: 'theirs.test', server: 'http://127.0.0.1:1' })
    const place = { host: 'theirs.test', server: 'https://theirs.test', mirror: 'http://127.0.0.1:2' }
    assert.equal(writeRegistryMirror(containerd.registryFolder, place), false)
    assert.match(readFileSync(join(containerd.registryFolder, 'theirs.test/hosts.toml'), 'utf8'), /127\.0\.0\.1:1/)
  })

  test('an image built on another image runs', async () => {
    const folder = join(host.folder, 'build')
    mkdirSync(folder)
    writeFileSync(join(folder, 'greeting'), 'good morning\n')
    const dockerfile = `FROM ${image}\nCOPY greeting /etc/\nENV WHO=you\nCMD cat /etc/greeting; echo $WHO`
    const exportImage = async (name: string) => {
      await containerd.exportImage(name, join(host.folder, 'base.tar'))
      return join(host.folder, 'base.tar')
    }
    const names = ['localhost/greeter:1']
    await containerd.addImages([await buildImage({ dockerfile, folder, names, exportImage, temporary: host.folder })])
    const sandbox = await harness.sandbox()
    const parts = { image: { image: 'localhost/greeter:1' } }
    await harness.ended(await sandbox.start('main', { command: [], behaviour: {} }, parts))
    const lines = await harness.until(async () => (sandbox.log('main').length === 2 ? sandbox.log('main') : undefined))
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['good morning', 'you'],
    )
  })

  test('a failed import leaves no image name and reports the message of containerd', async () => {
    const options = { ctr: containerd.programs.ctr, socket: containerd.endpoint.replace('unix://', '') }
    const names = await imageNames(options)
    const { manifest, blobs } = await packImage({
      ...busyboxImage('localhost/broken:1'),
      config: { Labels: { a: 'b' } },
    })
    const [config = assert.fail(), ...layers] = blobs
    const wrong = { ...config, chunks: () => contentChunks(Buffer.alloc(config.size, ' ')) }
    const broken = { names: ['localhost/broken:1'], manifest, blobs: [wrong, ...layers] }
    await assert.rejects(importImages(options, { images: [broken], clock: systemClock }), {
      name: 'CtrError',
      message: /^(?!Command failed).*sha256:/,
    })
    assert.deepEqual(await imageNames(options), names)
  })

  test('exec returns a URL that runs the command over a WebSocket', async () => {
    const sandbox = await harness.sandbox()
    const containerId = await sandbox.start('main', sleepProgram)
    const cmd = ['sh', '-c', 'cat; echo err >&2; exit 3']
    const { url } = await containerd.runtime.exec({ containerId, cmd, stdin: true, stdout: true, stderr: true })
    const socket = new WebSocket(url.replace('http:', 'ws:'), ['v4.channel.k8s.io'])
    const received: Record<number, string> = {}
    socket.on('message', (data: Buffer) => {
      received[data[0]!] = (received[data[0]!] ?? '') + data.subarray(1)
    })
    await once(socket, 'open')
    socket.send(Buffer.from([0, ...Buffer.from('hello\n')]))
    await harness.until(async () => received[1] || undefined)
    socket.close()
    assert.equal(received[1], 'hello\n')
  })

  test('a container runs with the given user and groups', async () => {
    const sandbox = await harness.sandbox()
    const program = shellProgram('id -u; id -g; id -G', {})
    const securityContext = {
      namespaceOptions: { pid: 'CONTAINER' },
      runAsUser: { value: 1000 },
      runAsGroup: { value: 2000 },
      supplementalGroups: [4000],
    } as const
    await harness.ended(await sandbox.start('main', program, { linux: { securityContext } }))
    const lines = await harness.until(async () => (sandbox.log('main').length === 3 ? sandbox.log('main') : undefined))
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['1000', '2000', '2000 3000 4000'],
    )
  })
})
