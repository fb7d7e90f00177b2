import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { environment } from '../../base/environment.js'
import { tarChunks } from '../../base/tar/writer.js'
import { type Containerd, startContainerd } from '../../cri/containerd/containerd.js'
import { runCtr } from '../../cri/containerd/ctr.js'
import { openArchive } from '../../cri/images/archive/archive-files.js'
import { imagesIn } from '../../cri/images/archive/archived-image.js'
import { packImage, writeImageArchive } from '../../cri/images/image-archive.js'
import { pauseImageName } from '../../cri/images/pause-image.js'
import { busyboxImage } from '../../testing/containers/busybox-image.js'
import {
  type ContainerHarness,
  createContainerHarness,
  removeContainerHarness,
} from '../../testing/containers/container-harness.js'
import { containersMissing } from '../../testing/containers/container-packages.js'
import { writeMarker } from '../cluster/marker.js'
import { writeRecord } from '../cluster/record.js'
import { imageCommand } from './image.js'

const skip = await containersMissing()

// This file is also the command, as the main program would call it.
if (process.argv[2] === 'image') process.exitCode = await imageCommand(process.argv.slice(3))
else describe('proa image', registerTests)

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface CommandOptions {
  readonly input?: Buffer
  readonly env?: Readonly<Record<string, string>>
  /** Is called when the command has written something to standard error. */
  readonly onError?: (text: string, pid: number) => void
}

function registerTests(): void {
  const folder = mkdtempSync(join(tmpdir(), 'proa-image-test-'))
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  after(() => rmSync(folder, { recursive: true }))
  let sites = 0

  /** A folder with files in it. */
  function site(files: Readonly<Record<string, string>>): string {
    const path = join(folder, `site-${sites++}`)
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), text)
    }
    return path
  }

  function run(args: readonly string[], { input, env, onError }: CommandOptions = {}): Promise<Outcome> {
    const argv = [fileURLToPath(import.meta.url), 'image', ...args]
    const { PROA_NAME: _, PROA_DATA_DIR: __, ...others } = process.env
    const child = spawn(process.execPath, argv, { env: { ...others, TMPDIR: temporary, ...env } })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
      onError?.(stderr, child.pid!)
    })
    child.stdin.on('error', () => {}) // a command that does not read its input
    child.stdin.end(input)
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  }

  const command = (...args: readonly string[]) => run(args)

  async function archive(name: string): Promise<string> {
    const file = join(folder, `${name.replaceAll(/\W/g, '-')}.tar`)
    const image = busyboxImage(name)
    // A label of its own makes it another image, and not another name of one.
    await writeImageArchive(file, [await packImage({ ...image, config: { ...image.config, Labels: { name } } })])
    return file
  }

  test('explains itself', async () => {
    assert.match((await command()).stdout, /proa image load FILE\|-/)
    assert.match((await command('load', '--help')).stdout, /docker save NAME \| proa image load -/)
    const verbs = ['ls', 'load', 'build', 'rm', 'hello']
    const helps = await Promise.all(verbs.map((verb) => command(verb, '--help')))
    for (const [at, verb] of verbs.entries())
      assert.match(helps[at]!.stdout, /--name NAME\n.*\$PROA_NAME.*\n *--data-dir DIR/, verb)
  })

  test('says what is wrong', async () => {
    const empty = site({ x: '' })
    const mistakes: [args: string[], code: number, message: RegExp][] = [
      [['fetch', 'x'], 2, /unknown command "fetch"; the commands are ls, load, build, rm, hello/],
      [['constructor'], 2, /unknown command "constructor"/],
      [['load'], 2, /name the archive, or - for standard input: docker save NAME \| proa image load -/],
      [['load', 'a', 'b'], 2, /unexpected argument "b"/],
      [['load', 'a', '--max-size=much'], 2, /--max-size=much cannot be used: it must be a size, such as 500Mi/],
      [['load', '--wrong'], 2, /--wrong/],
      [['build'], 2, /name the folder with the files/],
      [['build', empty], 2, /the image needs a name: -t NAME/],
      [['build', empty, '-t', 'Not A Name'], 2, /Not A Name cannot be the name of an image/],
      [['build', empty, '-t', 'x'], 1, /there is no Dockerfile in .*; name it with -f FILE/],
      [['build', empty, '-t', 'x', '-f', 'nowhere'], 1, /there is no file nowhere/],
      [['build', join(folder, 'none'), '-t', 'x'], 1, /there is no folder .*none/],
      [['ls', 'x'], 2, /unexpected argument "x"/],
      [['ls', '-o', 'xml'], 2, /--output=xml cannot be used: it must be one of table, json/],
      [['ls', '--name', '../x'], 2, /--name=\.\.\/x cannot be used/],
      [['rm'], 2, /name the images to remove/],
    ]
    const outcomes = await Promise.all(mistakes.map(([args]) => command(...args)))
    for (const [at, [args, code, message]] of mistakes.entries()) {
      const { stdout, stderr, code: found } = outcomes[at]!
      assert.match(stderr, message)
      assert.deepEqual([found, stdout], [code, ''], args.join(' '))
    }
    const badName = await run(['ls'], { env: { PROA_NAME: 'a/b' } })
    assert.match(badName.stderr, /PROA_NAME=a\/b cannot be used/)
  })

  test('builds an image into an archive, without a cluster', async () => {
    const path = site({
      'docker/web.Dockerfile': 'FROM scratch AS one\nARG PLACE\nCOPY index.html $PLACE/\nFROM one\nCMD ["x"]',
      'index.html': '<p>hello</p>',
    })
    const file = join(folder, 'site.tar')
    const args = ['build', path, '-t', 'site:1', '--build-arg', 'PLACE=/a,b', '-o', file]
    const built = await command(...args, '--target', 'one', '-f', join(path, 'docker/web.Dockerfile'))
    assert.deepEqual([built.code, built.stdout], [0, `wrote to ${file}: docker.io/library/site:1\n`])
    assert.equal(built.stderr, 'line 1: FROM scratch AS one\nline 2: ARG PLACE\nline 3: COPY index.html $PLACE/\n')
    const [image] = await imagesIn(await openArchive(file, { temporary: folder }))
    assert.deepEqual([image?.names, image?.config.Cmd], [['docker.io/library/site:1'], undefined])
    const input = Buffer.from('FROM scratch\nENV A=1')
    assert.equal((await run(['build', path, '-t', 'x', '-f', '-', '-o', file], { input })).code, 0)
    const [other] = await imagesIn(await openArchive(file, { temporary: folder }))
    assert.equal(other?.config.Env?.at(-1), 'A=1')
  })

  test('says how to start the cluster that was named', async () => {
    const place = site({})
    mkdirSync(join(place, 'containerd'), { recursive: true })
    writeMarker(place, { name: 'trial', version: '', createdAt: '', isDirectoryMade: true })
    for (const args of [
      ['--name', 'trial', '--data-dir', place],
      ['--data-dir', place],
    ]) {
      const { code, stderr } = await command('ls', ...args)
      const [first, second] = stderr.split('\n')
      assert.equal(first, 'proa image ls: the cluster trial does not run')
      assert.match(second ?? '', new RegExp(`^ {2}start it: .* up --name trial --data-dir ${place}$`))
      assert.equal(code, 1)
    }
  })

  test('says that a cluster with simulated containers keeps no images, and what works there', async () => {
    const place = site({ Dockerfile: 'FROM scratch\nRUN x' })
    const nodes = [{ name: 'node', runtime: 'simulated containers', isSimulated: true }]
    writeRecord(place, { url: 'https://127.0.0.1:1', nodes })
    for (const args of [['ls'], ['rm', 'x'], ['load', '-'], ['hello']]) {
      const { code, stderr } = await command(...args, '--data-dir', place)
      assert.match(stderr, /the containers of the cluster proa are simulated: it keeps no images, and its pods run/)
      assert.match(stderr, /\n {2}build an image into a file: .* image build DIR -t NAME -o FILE\n$/)
      assert.equal(code, 1)
    }
    const build = ['build', place, '-t', 'x', '--data-dir', place]
    assert.match(
      (await command(...build)).stderr,
      /^proa image build: the containers of the cluster proa are simulated/,
    )
    const { stderr } = await command(...build, '-o', join(folder, 'none.tar'))
    assert.match(stderr, /line 2: RUN: a command in a container needs a container runtime, and the containers of/)
  })

  describe('with a containerd', { skip }, () => {
    let world: ContainerHarness
    let containerd: Containerd
    let alive: NodeJS.Timeout
    const place = () => ['--data-dir', world.folder]

    before(async () => {
      world = await createContainerHarness()
      alive = setInterval(() => {}, 60_000)
      // As `proa up` has it: in the data directory.
      containerd = await startContainerd({ folder: join(world.folder, 'containerd'), environment: environment() })
      const base = await archive('localhost/busybox:1')
      assert.equal((await command('load', base, ...place())).stdout, 'loaded localhost/busybox:1\n')
    })

    after(async () => {
      await containerd.close()
      await removeContainerHarness(world)
      clearInterval(alive)
    })

    async function tags(): Promise<string[]> {
      const { images } = await containerd.runtime.listImages({})
      return images.flatMap(({ repoTags }) => repoTags).sort()
    }

    /** What is left in containerd and on disk of commands that have ended. */
    async function traces(): Promise<object> {
      const options = { ctr: containerd.programs.ctr, socket: join(world.folder, 'containerd/containerd.sock') }
      const listed = async (...args: string[]) => {
        const printed = await runCtr(options, { namespace: 'proa-build', args: [...args, '--quiet'] })
        return printed.split('\n').filter(Boolean)
      }
      return {
        images: await listed('images', 'ls'),
        containers: await listed('containers', 'ls'),
        files: readdirSync(temporary),
      }
    }
    const noTraces = { images: [], containers: [], files: [] }

    test('lists images, as a table and as JSON, for a cluster in a variable', async () => {
      const { stdout } = await run(['ls'], { env: { PROA_DATA_DIR: world.folder } })
      assert.match(stdout, /^REPOSITORY +TAG +IMAGE ID +SIZE\n/)
      assert.match(stdout, /^localhost\/busybox +1 +[0-9a-f]{12} +[\d.]+[kM]B$/m)
      const images = JSON.parse((await command('ls', '-o', 'json', ...place())).stdout)
      const { tags: names } = images.find((each: { tags: string[] }) => each.tags.includes('localhost/busybox:1'))
      assert.deepEqual(names, ['localhost/busybox:1'])
    })

    test('loads what docker save or another program pipes into it', async () => {
      const file = join(folder, 'exported.tar')
      await containerd.exportImage('localhost/busybox:1', file)
      const exported = readFileSync(file)
      for (const [input, name] of [
        [exported, 'localhost/piped:1'],
        [gzipSync(exported), 'localhost/piped:2'],
      ] as const) {
        const outcome = await run(['load', '-', '-t', name, ...place()], { input })
        assert.deepEqual(outcome, { code: 0, stdout: `loaded ${name}\n`, stderr: '' })
      }
      assert.deepEqual(
        (await tags()).filter((tag) => tag.includes('piped')),
        ['localhost/piped:1', 'localhost/piped:2'],
      )
      assert.deepEqual(await traces(), noTraces)
    })

    test('refuses damaged and hostile archives, and leaves nothing of them', async () => {
      const before = await tags()
      const whole = readFileSync(await archive('localhost/damaged:1'))
      const hostile: Buffer[] = []
      for await (const chunk of tarChunks([{ type: 'file', path: '../../evil', content: Buffer.from('x') }]))
        hostile.push(Buffer.from(chunk))
      const cases: [input: Buffer, message: RegExp][] = [
        [Buffer.alloc(0), /the archive is empty/],
        [Buffer.from('not an archive, whatever it is'.repeat(50)), /not a tar archive/],
        [whole.subarray(0, whole.length - 5000), /the archive is incomplete/],
        [gzipSync(whole).subarray(0, 100_000), /gzip data is incomplete/],
        [Buffer.concat(hostile), /leads outside of it: "\.\.\/\.\.\/evil"/],
        [gzipSync(Buffer.alloc(80 << 20)), /the archive is larger than 50 MiB when it is unpacked/],
      ]
      for (const [input, message] of cases) {
        const outcome = await run(['load', '-', '--max-size', '50Mi', ...place()], { input })
        assert.match(outcome.stderr, message)
        assert.match(outcome.stderr, /^proa image load: [^\n]+\n$/)
        assert.deepEqual([outcome.code, outcome.stdout], [1, ''])
      }
      assert.deepEqual(await tags(), before)
      assert.deepEqual(await traces(), noTraces)
    })

    test('removes a name, an image, and nothing that is in use', async () => {
      const file = await archive('localhost/removed:1')
      await command('load', file, '-t', 'localhost/removed:1', '-t', 'localhost/removed:2', ...place())
      assert.equal((await command('rm', 'localhost/removed:2', ...place())).stdout, 'removed localhost/removed:2\n')
      assert.deepEqual(
        (await tags()).filter((tag) => tag.includes('removed')),
        ['localhost/removed:1'],
      )
      const missing = await command('rm', 'localhost/removed:2', 'localhost/removed:1', pauseImageName, ...place())
      assert.equal(missing.stdout, 'removed localhost/removed:1\n')
      assert.match(
        missing.stderr,
        /^proa image rm: there is no image localhost\/removed:2\nproa image rm: .*needs it for every pod\n {2}list the images: /,
      )
      assert.equal(missing.code, 1)
      const [, hint = ''] = /list the images: (.*)\n$/.exec(missing.stderr) ?? []
      assert.match(execFileSync('sh', ['-c', hint], { encoding: 'utf8' }), /^REPOSITORY .*\n.*localhost/s)
      assert.deepEqual(
        (await tags()).filter((tag) => tag.includes('removed')),
        [],
      )
    })

    test('does not remove an image of a container', async () => {
      const { runtime } = containerd
      const metadata = { name: 'web', uid: 'uid', namespace: 'test', attempt: 0 }
      // With the network of the machine, which needs no plugins.
      const linux = {
        cgroupParent: world.cgroupParent,
        securityContext: { namespaceOptions: { network: 'NODE' } },
      } as const
      const sandboxConfig = { metadata, linux, logDirectory: world.folder }
      const { podSandboxId } = await runtime.runPodSandbox({ config: sandboxConfig })
      const labels = {
        'io.kubernetes.pod.namespace': 'test',
        'io.kubernetes.pod.name': 'web',
        'io.kubernetes.container.name': 'main',
      }
      const image = { image: 'localhost/busybox:1' }
      const config = { metadata: { name: 'main', attempt: 0 }, image, labels, command: ['true'] }
      await runtime.createContainer({ podSandboxId, config, sandboxConfig })
      const { code, stderr } = await command('rm', 'localhost/busybox:1', ...place())
      assert.equal(
        stderr,
        'proa image rm: localhost/busybox:1 is in use by container main of pod test/web; delete the pods first\n',
      )
      assert.equal(code, 1)
      assert.ok((await tags()).includes('localhost/busybox:1'))
      await runtime.stopPodSandbox({ podSandboxId })
      await runtime.removePodSandbox({ podSandboxId })
    })

    test('builds on an image of the cluster, in stages, and runs commands', async () => {
      const path = site({
        Dockerfile: `
          FROM localhost/busybox:1 AS build
          ARG WHO=world
          WORKDIR /work
          COPY words .
          RUN sort words > sorted && echo "hello $WHO" > /greeting && rm words && id -u
          USER web
          RUN ["/bin/sh", "-c", "id -un; pwd; touch /tmp/mine"]
          RUN --mount=type=cache,target=/cache,uid=1000 <<EOF
set -e
echo cached > /cache/file
cp /cache/file /tmp/copy
EOF
          FROM localhost/busybox:1
          COPY --from=build /work/ /greeting /out/
          COPY --from=build --chown=web /tmp/mine /tmp/copy /tmp/
          RUN cat /out/* /tmp/copy; ls /out; stat -c %u:%g /tmp/mine`,
        words: 'b\na\n',
      })
      const args = ['build', path, '-t', 'localhost/built:1', '--build-arg', 'WHO=proa', ...place()]
      const { code, stdout, stderr } = await command(...args)
      assert.equal(
        stderr.replaceAll(/^ *line .*\n/gm, ''),
        '0\nweb\n/work\nhello proa\na\nb\ncached\ngreeting\nsorted\n1000:2000\n',
      )
      assert.deepEqual([code, stdout], [0, 'built localhost/built:1\n'])
      assert.ok((await tags()).includes('localhost/built:1'))
      assert.deepEqual(await traces(), noTraces)
    })

    test('tells which command of a Dockerfile failed', async () => {
      const cases: [dockerfile: string, message: string][] = [
        [
          'FROM localhost/busybox:1\nRUN echo oops >&2; exit 3',
          'Dockerfile line 2: RUN: the command failed with exit code 3',
        ],
        ['FROM scratch\nRUN true', 'Dockerfile line 2: RUN: the command needs /bin/sh, which the image does not have'],
        ['FROM localhost/busybox:1\nUSER nobody9\nRUN true', 'Dockerfile line 3: RUN: the container failed to run: '],
        [
          'FROM node:22',
          'Dockerfile line 1: FROM: the container runtime does not have the image node:22; add it, or let the runtime pull it with --pull\n  add it:  docker save node:22 | ',
        ],
      ]
      for (const [dockerfile, message] of cases) {
        const { code, stdout, stderr } = await command('build', site({ Dockerfile: dockerfile }), '-t', 'x', ...place())
        const last = stderr.slice(stderr.indexOf('proa image build: '))
        assert.equal(last.slice(0, 'proa image build: '.length + message.length), `proa image build: ${message}`)
        assert.deepEqual([code, stdout], [1, ''])
        assert.doesNotMatch(stderr, /Command failed|^ +at /m)
      }
      assert.deepEqual(await traces(), noTraces)
    })

    /** Sends a signal to a build while its command runs. */
    async function stopped(signal: NodeJS.Signals): Promise<Outcome> {
      const path = site({ Dockerfile: 'FROM localhost/busybox:1\nRUN echo begun; sleep 1000' })
      let isSent = false
      const onError = (text: string, pid: number) => {
        if (isSent || !text.includes('\nbegun\n')) return
        isSent = true
        process.kill(pid, signal)
      }
      return run(['build', path, '-t', 'x', ...place()], { onError })
    }

    test('lets the runtime pull a base image if it is told to', async () => {
      const path = site({ Dockerfile: 'FROM 127.0.0.1:1/none:1' })
      const { code, stderr } = await command('build', path, '-t', 'x', '--pull', ...place())
      assert.match(stderr, /line 1: FROM: the container runtime cannot pull the image: .*connection refused/)
      assert.equal(code, 1)
    })

    test('leaves nothing of a build that is interrupted', async () => {
      assert.equal((await stopped('SIGINT')).code, 130)
      assert.deepEqual(await traces(), noTraces)
    })

    test('removes the container of a build that was killed with the next build', async () => {
      assert.equal((await stopped('SIGKILL')).code, null)
      rmSync(temporary, { recursive: true })
      mkdirSync(temporary)
      assert.equal(((await traces()) as typeof noTraces).containers.length, 1)
      const path = site({ Dockerfile: 'FROM localhost/busybox:1\nRUN true' })
      assert.equal(
        (await command('build', path, '-t', 'localhost/next:1', ...place())).stdout,
        'built localhost/next:1\n',
      )
      assert.deepEqual(await traces(), noTraces)
    })

    test('adds the hello image', async () => {
      const { stdout } = await command('hello', ...place())
      assert.equal(stdout, [1, 'latest', 2].map((tag) => `loaded docker.io/proa/hello:${tag}\n`).join(''))
    })

    test('says that containerd does not respond', async () => {
      const nothing = await command('ls', '--container-runtime-endpoint', 'unix:///nowhere.sock')
      assert.match(nothing.stderr, /^proa image ls: containerd does not respond at \/nowhere\.sock: /)
      assert.equal(nothing.code, 1)
    })
  })
}
