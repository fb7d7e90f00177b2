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
const alive = setInterval(() => {}, 60_000) // a clock's timers let a process end that has nothing else to do
after(() => clearInterval(alive))

/** Enough of a world to try things with. */
function trialOf({ runtime }: Containerd, { folder, cgroupParent }: ContainerHarness): RuntimeHarness {
  const unused = () => Promise.reject(new Error('it is not for this'))
  const registry = { open: '', guarded: '', missing: '', username: '', password: '' }
  const parts = { lacks: {}, memoryLimit: unused, restart: unused, close: unused }
  return new RuntimeHarness({ runtime, folder, image, cgroupParent, registry, ...parts })
}

describe('a private containerd', { skip }, () => {
  let world: ContainerHarness
  before(async () => {
    world = await createContainerHarness()
    writeNetworkConfiguration(join(world.folder, 'net.d'), world)
  })
  after(() => removeContainerHarness(world))
  const start = (options = {}) => startContainerd({ folder: world.folder, environment: environment(), ...options })

  test('keeps everything in its folder, and has it to itself', async () => {
    await using containerd = await start()
    assert.equal(containerd.endpoint, `unix://${world.folder}/containerd.sock`)
    await assert.rejects(start(), /is in use by another process/)
    assert.match(readFileSync(containerd.logFile, 'utf8'), /containerd successfully booted/)
    const { images } = await containerd.runtime.listImages({})
    assert.deepEqual(
      images.flatMap(({ repoTags }) => repoTags),
      ['localhost/proa/pause:1'],
    )
  })

  test('leaves its containers running when told to, and has them again the next time', async () => {
    const first = await start()
    await first.addImages([busyboxImage(image)])
    const sandbox = await trialOf(first, world).sandbox()
    const containerId = await sandbox.start('main', sleepProgram)
    await first.close({ containers: 'keep' })
    assert.equal(shimsOf(containerdPaths(world.folder)).length, 1)
    await using second = await start()
    const { status } = await second.runtime.containerStatus({ containerId })
    assert.equal(status?.state, 'CONTAINER_RUNNING')
  })

  test('takes over from one whose process was killed together with nobody to look after it', async () => {
    const ready = `
      import { environment } from ${JSON.stringify(new URL('../../base/environment.js', import.meta.url).href)}
      import { startContainerd } from ${JSON.stringify(new URL('./containerd.js', import.meta.url).href)}
      setInterval(() => {}, 1000)
      await startContainerd({ folder: ${JSON.stringify(world.folder)}, environment: environment() })
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

  test('that was killed leaves nothing behind when it is closed: no process, no mount, no namespace', async () => {
    const containerd = await start({ restart: false })
    await containerd.addImages([busyboxImage(image)])
    const trial = trialOf(containerd, world)
    for (const name of ['one', 'two']) await (await trial.sandbox()).start(name, sleepProgram)
    signalProcess(containerd.pid!, 'SIGKILL')
    while (containerd.pid) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.ok(mountsIn(world.folder).length > 0)
    await containerd.close()
    assert.deepEqual(
      containerLeftOvers(world).filter((line) => /^(process|mount|socket) /.test(line)),
      [],
    )
    // Nobody gave their addresses back in the proper way; the next containerd that runs sandboxes of this folder does.
    await using next = await start()
    await trialOf(next, world).clear()
  })

  test('says why it does not start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proa-broken-'))
    mkdirSync(join(folder, 'root/io.containerd.metadata.v1.bolt'), { recursive: true })
    writeFileSync(join(folder, 'root/io.containerd.metadata.v1.bolt/meta.db'), 'no database'.repeat(1000))
    await assert.rejects(
      startContainerd({ folder, environment: environment(), restart: false }),
      /^Error: containerd (ended|is of no use): .*\n.*invalid database/s,
    )
    const long = join(folder, 'x'.repeat(100))
    await assert.rejects(startContainerd({ folder: long, environment: environment() }), /too long a path/)
    assert.equal(existsSync(long), false)
    rmSync(folder, { recursive: true })
  })
})

describe('in a private containerd', { skip }, () => {
  let world: ContainerHarness
  let containerd: Containerd
  let trial: RuntimeHarness
  before(async () => {
    world = await createContainerHarness()
    writeNetworkConfiguration(join(world.folder, 'net.d'), world)
    containerd = await startContainerd({ folder: world.folder, environment: environment() })
    await containerd.addImages([busyboxImage(image)])
    trial = trialOf(containerd, world)
  })
  afterEach(() => trial.clear())
  after(async () => {
    await containerd.close()
    await removeContainerHarness(world)
  })

  test('the pause program collects the orphans of a pod that shares its processes', async () => {
    const { runtime } = containerd
    const linux = { securityContext: { namespaceOptions: { pid: 'POD' } } } as const
    const sandbox = await trial.sandbox({ linux: { ...linux, cgroupParent: `${world.cgroupParent}/shared` } })
    const containerId = await sandbox.start('main', sleepProgram, { linux })
    const exec = async (script: string) =>
      (await runtime.execSync({ containerId, cmd: ['sh', '-c', script], timeout: 20 })).stdout.toString()
    assert.match(await exec('ps -o pid,args'), /^ +1 \/pause$/m)
    await exec('for i in 1 2 3; do (sleep 0.1 & exit) & done; wait')
    await trial.until(async () => (/defunct|sleep 0.1|\[sleep\]/.test(await exec('ps -o args')) ? undefined : true))
  })

  test('the hello image answers on the address of its pod', async () => {
    await containerd.addImages(await helloImages())
    const sandbox = await trial.sandbox()
    // Neither a command nor arguments are told: the image knows.
    await sandbox.start('hello', { command: [], behaviour: {} }, { image: { image: 'docker.io/proa/hello:1' } })
    const { status } = await containerd.runtime.podSandboxStatus({ podSandboxId: sandbox.id })
    const answer = await trial.until(() =>
      fetch(`http://${status?.network?.ip}/`).then(
        (response) => response.text(),
        () => undefined,
      ),
    )
    assert.equal(answer, `Hello from ${sandbox.config.hostname}\n`)
  })

  test('a mirror is asked first, and the registry itself for what the mirror does not have', async () => {
    const mirror = await serveImages(helloImages)
    const server = await serveImages(async () => [busyboxImage('registry.test/team/busybox:1')])
    const place = { host: 'registry.test', server: server.url, mirror: mirror.url }
    assert.equal(writeRegistryMirror(containerd.registryFolder, place), true)
    const pull = (name: string) => containerd.runtime.pullImage({ image: { image: name } })
    for (const name of ['proa/hello', 'proa/hello:2', 'team/busybox:1']) await pull(`registry.test/${name}`)
    await pull('registry.test/proa/hello') // what is there already is no hindrance
    await assert.rejects(pull('registry.test/team/nothing:1'), /registry.test\/team\/nothing:1: not found/)
    await Promise.all([mirror.close(), server.close()])
  })

  test('what somebody wrote about a registry stays as it is', () => {
    writeRegistryHost(containerd.registryFolder, { host: 'theirs.test', server: 'http://127.0.0.1:1' })
    const place = { host: 'theirs.test', server: 'https://theirs.test', mirror: 'http://127.0.0.1:2' }
    assert.equal(writeRegistryMirror(containerd.registryFolder, place), false)
    assert.match(readFileSync(join(containerd.registryFolder, 'theirs.test/hosts.toml'), 'utf8'), /127\.0\.0\.1:1/)
  })

  test('an image that was built from files on another one runs', async () => {
    const folder = join(world.folder, 'build')
    mkdirSync(folder)
    writeFileSync(join(folder, 'greeting'), 'good morning\n')
    const dockerfile = `FROM ${image}\nCOPY greeting /etc/\nENV WHO=you\nCMD cat /etc/greeting; echo $WHO`
    const exportImage = async (name: string) => {
      await containerd.exportImage(name, join(world.folder, 'base.tar'))
      return join(world.folder, 'base.tar')
    }
    const names = ['localhost/greeter:1']
    await containerd.addImages([await buildImage({ dockerfile, folder, names, exportImage, temporary: world.folder })])
    const sandbox = await trial.sandbox()
    const parts = { image: { image: 'localhost/greeter:1' } }
    await trial.ended(await sandbox.start('main', { command: [], behaviour: {} }, parts))
    const lines = await trial.until(async () => (sandbox.log('main').length === 2 ? sandbox.log('main') : undefined))
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['good morning', 'you'],
    )
  })

  test('an image that cannot be imported leaves no name, and the message is that of containerd', async () => {
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

  test('a command is run over a WebSocket at the address that exec gives', async () => {
    const sandbox = await trial.sandbox()
    const containerId = await sandbox.start('main', sleepProgram)
    const cmd = ['sh', '-c', 'cat; echo err >&2; exit 3']
    const { url } = await containerd.runtime.exec({ containerId, cmd, stdin: true, stdout: true, stderr: true })
    const socket = new WebSocket(url.replace('http:', 'ws:'), ['v4.channel.k8s.io'])
    const heard: Record<number, string> = {}
    socket.on('message', (data: Buffer) => {
      heard[data[0]!] = (heard[data[0]!] ?? '') + data.subarray(1)
    })
    await once(socket, 'open')
    socket.send(Buffer.from([0, ...Buffer.from('hello\n')]))
    await trial.until(async () => heard[1] || undefined)
    socket.close()
    assert.equal(heard[1], 'hello\n')
  })

  test('a container runs as the user, and with the groups, that it is told', async () => {
    const sandbox = await trial.sandbox()
    const said = shellProgram('id -u; id -g; id -G', {})
    const securityContext = {
      namespaceOptions: { pid: 'CONTAINER' },
      runAsUser: { value: 1000 },
      runAsGroup: { value: 2000 },
      supplementalGroups: [4000],
    } as const
    await trial.ended(await sandbox.start('main', said, { linux: { securityContext } }))
    const lines = await trial.until(async () => (sandbox.log('main').length === 3 ? sandbox.log('main') : undefined))
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['1000', '2000', '2000 3000 4000'],
    )
  })
})
