import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { environment } from '../base/environment.js'
import { startContainerd } from '../cri/containerd/containerd.js'
import { packImage, writeImageArchive } from '../cri/images/image-archive.js'
import { indexTar } from '../cri/images/tar-index.js'
import { busyboxImage } from '../testing/busybox-image.js'
import { containersMissing } from '../testing/container-packages.js'
import { endContainerWorld, newContainerWorld } from '../testing/container-world.js'
import { imageCommand } from './image.js'

const skip = await containersMissing()

// This file is also the command, as the main program would call it.
if (process.argv[2] === 'image') process.exitCode = await imageCommand(process.argv.slice(3))
else describe('proa image', registerTests)

function registerTests(): void {
  const folder = mkdtempSync(join(tmpdir(), 'proa-image-command-'))
  after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'site'))
  writeFileSync(join(folder, 'site/index.html'), '<p>hello</p>')
  const dockerfile = (text: string) => writeFileSync(join(folder, 'site/Dockerfile'), text)

  test('builds an image into an archive', async () => {
    dockerfile('ARG PLACE\nFROM scratch\nCOPY index.html $PLACE/')
    const file = join(folder, 'site.tar')
    const built = await command('build', join(folder, 'site'), '-t', 'site:1', '--build-arg', 'PLACE=/www', '-o', file)
    assert.deepEqual(built, { code: 0, stdout: `written to ${file}: docker.io/library/site:1\n`, stderr: '' })
    assert.ok((await indexTar(file)).names.includes('index.json'))
  })

  test('says what is wrong', async () => {
    const mistakes: [args: string[], code: number, message: RegExp][] = [
      [['fetch', 'x'], 2, /there is no "fetch"/],
      [['load'], 2, /load takes a FILE/],
      [['build'], 2, /build takes a DIR/],
      [['build', join(folder, 'site')], 2, /needs a name: -t NAME/],
      [['build', join(folder, 'site'), '-t', 'Not A Name'], 2, /cannot be the name/],
      [['build', join(folder, 'none'), '-t', 'x'], 1, /there is no file .*Dockerfile/],
      [['load', 'a', 'b'], 2, /one too many/],
      [['load', '--wrong'], 2, /--wrong/],
    ]
    for (const [args, code, message] of mistakes) {
      const outcome = await command(...args)
      assert.equal(outcome.code, code, args.join(' '))
      assert.match(outcome.stderr, message)
    }
    assert.match((await command()).stdout, /Usage:/)
  })

  test('brings images to containerd: loaded, built upon another one, and made of Node', { skip }, async () => {
    const world = await newContainerWorld()
    const alive = setInterval(() => {}, 60_000)
    // As `proa up` has it: in the data directory.
    const containerd = await startContainerd({ folder: join(world.folder, 'containerd'), environment: environment() })
    try {
      const place = ['--data-dir', world.folder]
      const archive = join(folder, 'busybox.tar')
      await writeImageArchive(archive, [await packImage(busyboxImage('localhost/busybox:1'))])
      assert.equal((await command('load', archive, ...place)).stdout, 'loaded localhost/busybox:1\n')
      dockerfile('FROM localhost/busybox:1\nCOPY index.html /www/')
      const built = await command('build', join(folder, 'site'), '-t', 'site:2', ...place)
      assert.deepEqual([built.stdout, built.stderr], ['loaded docker.io/library/site:2\n', ''])
      const hello = await command('hello', ...place)
      const names = [1, 'latest', 2].map((tag) => `loaded docker.io/proa/hello:${tag}\n`)
      assert.equal(hello.stdout, names.join(''))
      for (const image of ['site:2', 'proa/hello:1', 'localhost/busybox:1'])
        assert.ok((await containerd.runtime.imageStatus({ image: { image } })).image, image)
      const nothing = await command('load', archive, '--container-runtime-endpoint', 'unix:///nowhere.sock')
      assert.equal(nothing.code, 1)
      assert.match(nothing.stderr, /^proa image: containerd does not answer on \/nowhere\.sock: /)
    } finally {
      await containerd.close()
      await endContainerWorld(world)
      clearInterval(alive)
    }
  })
}

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function command(...args: readonly string[]): Promise<Outcome> {
  const argv = [fileURLToPath(import.meta.url), 'image', ...args]
  return new Promise((resolve) =>
    execFile(process.execPath, argv, { encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )
}
