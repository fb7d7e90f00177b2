import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, describe, test } from 'node:test'
import { type TarEntry, tarChunks } from '../../base/tar/writer.js'
import { readBaseImage } from './base-image.js'
import { buildImage } from './build-image.js'
import { substituted } from './dockerfile.js'
import { helloImages } from './hello-image.js'
import type { Image } from './image.js'
import { packImage, writeImageArchive } from './image-archive.js'
import { fullImageName } from './image-name.js'
import { pauseImage } from './pause-image.js'
import { librariesIn, sharedLibraries } from './shared-libraries.js'
import { indexTar } from './tar-index.js'

const root = mkdtempSync(join(tmpdir(), 'proa-image-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0
function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, `${folders++}`)
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function writeChunks(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const path = join(newFolder(), 'archive.tar')
  await pipeline(Readable.from(chunks), createWriteStream(path))
  return path
}

const writeTar = (entries: readonly TarEntry[]) => writeChunks(tarChunks(entries))

const bytes = (text: string) => Buffer.from(text)
const long = `${'folder/'.repeat(30)}file`

describe('a tar archive', () => {
  const entries: TarEntry[] = [
    { type: 'directory', path: 'bin', mode: 0o700 },
    { type: 'file', path: 'bin/tool', mode: 0o4755, uid: 7, gid: 9, content: bytes('tool') },
    { type: 'file', path: 'empty', content: bytes('') },
    { type: 'file', path: 'block', content: bytes('x'.repeat(512)) },
    { type: 'link', path: 'link', target: '/bin/tool' },
    { type: 'file', path: long, content: bytes('deep') },
    { type: 'file', path: 'é/ü', content: bytes('accents') },
  ]

  test('is what tar itself unpacks', async () => {
    const archive = await writeTar(entries)
    const target = newFolder()
    execFileSync('tar', ['-xpf', archive, '-C', target, '--no-same-owner'])
    assert.equal(readFileSync(join(target, long), 'utf8'), 'deep')
    assert.equal(readFileSync(join(target, 'é/ü'), 'utf8'), 'accents')
    assert.equal(readFileSync(join(target, 'block'), 'utf8').length, 512)
    assert.equal(statSync(join(target, 'bin')).mode & 0o7777, 0o700)
    const listed = execFileSync('tar', ['-tvf', archive, '--numeric-owner', '--full-time'], { encoding: 'utf8' })
    assert.match(listed, /-rwsr-xr-x 7\/9 +4 1970-01-01 00:00:00 bin\/tool\n/)
    assert.match(listed, /link -> \/bin\/tool\n/)
  })

  test('is read again without being unpacked', async () => {
    const index = await indexTar(await writeTar(entries))
    assert.deepEqual([...index.names], ['bin/tool', 'empty', 'block', long, 'é/ü'])
    assert.equal((await index.read(long)).toString(), 'deep')
    await assert.rejects(index.read('none'), /has no none/)
  })

  test('of another program is read too, and what is none is refused', async () => {
    const folder = newFolder({ [long]: 'deep', short: 'short' })
    const archive = join(newFolder(), 'other.tar')
    execFileSync('tar', ['--format=pax', '-cf', archive, '-C', folder, '.'])
    const index = await indexTar(archive)
    assert.equal((await index.read(long)).toString(), 'deep')
    writeFileSync(archive, 'no archive'.repeat(1000))
    await assert.rejects(indexTar(archive), /no tar archive/)
  })
})

describe('an image', () => {
  const config = { Entrypoint: ['/tool'], Env: ['A=1'] }
  const image: Image = {
    names: ['docker.io/library/tool:1'],
    architecture: 'amd64',
    config,
    layers: [[{ type: 'file', path: 'usr/bin/tool', mode: 0o755, content: bytes('tool') }]],
  }

  test('is the same bytes each time, under the digest of its content', async () => {
    const [one, two] = [await packImage(image), await packImage(image)]
    assert.equal(one.manifest.digest, two.manifest.digest)
    const archive = join(newFolder(), 'image.tar')
    await writeImageArchive(archive, [one])
    const index = await indexTar(archive)
    for (const name of index.names.filter((name) => name.startsWith('blobs/'))) {
      const sum = execFileSync('sha256sum', { input: await index.read(name), encoding: 'utf8' })
      assert.equal(sum.split(' ')[0], name.split('/').at(-1))
    }
    const { manifests } = JSON.parse((await index.read('index.json')).toString())
    assert.equal(manifests[0].annotations['io.containerd.image.name'], 'docker.io/library/tool:1')
  })

  test('is a base for another, which adds its layers to it', async () => {
    const archive = join(newFolder(), 'base.tar')
    await writeImageArchive(archive, [await packImage(image)])
    const base = await readBaseImage(archive)
    assert.deepEqual(base.config, config)
    const packed = await packImage({ ...image, layers: [...base.layers, [{ type: 'directory', path: 'data' }]] })
    assert.equal(packed.blobs[1]?.digest, (await packImage(image)).blobs[1]?.digest)
    assert.equal(packed.blobs.length, 3)
  })

  test('of the pause program is one small file, and runs as nobody', async () => {
    const { manifest, blobs } = await packImage(pauseImage('amd64'))
    assert.ok(manifest.size + blobs.reduce((total, { size }) => total + size, 0) < 4096)
    assert.equal(pauseImage('arm64').config.User, '65535:65535')
  })

  test('has the full name that a runtime gives it', () => {
    const names = {
      web: 'docker.io/library/web:latest',
      'proa/hello': 'docker.io/proa/hello:latest',
      'web:1': 'docker.io/library/web:1',
      'localhost/web': 'localhost/web:latest',
      'registry.example:5000/a/b:2': 'registry.example:5000/a/b:2',
      [`web@sha256:${'0'.repeat(64)}`]: `docker.io/library/web@sha256:${'0'.repeat(64)}`,
    }
    for (const [name, full] of Object.entries(names)) assert.equal(fullImageName(name), full)
  })
})

describe('a build', () => {
  const build = async (dockerfile: string, files: Readonly<Record<string, string>> = {}) => {
    const folder = newFolder({ ...files, Dockerfile: dockerfile })
    return { folder, image: await buildImage({ folder, names: ['web'] }) }
  }
  const paths = ({ layers }: Image) => layers.map((layer) => ('digest' in layer ? [] : layer.map(({ path }) => path)))

  test('puts files and settings together', async () => {
    const { image } = await build(
      `# a comment
       ARG PLACE=/srv
       FROM scratch
       ENV GREETING="hello world" \\
           # in between
           PORT=80
       WORKDIR $PLACE
       COPY site ./public/
       COPY --chown=7:9 --chmod=0755 tool /bin/
       EXPOSE $PORT 53/udp
       LABEL a=b "c"="d e"
       USER 7
       STOPSIGNAL SIGQUIT
       VOLUME ["/data"]
       ENTRYPOINT ["/bin/tool"]
       CMD serve $PORT`,
      { 'site/index.html': '<p>', 'site/css/a.css': '', tool: '#!' },
    )
    assert.deepEqual(image.names, ['docker.io/library/web:latest'])
    assert.deepEqual(image.config, {
      Env: ['GREETING=hello world', 'PORT=80'],
      WorkingDir: '/srv',
      ExposedPorts: { '80/tcp': {}, '53/udp': {} },
      Labels: { a: 'b', c: 'd e' },
      User: '7',
      StopSignal: 'SIGQUIT',
      Volumes: { '/data': {} },
      Entrypoint: ['/bin/tool'],
      Cmd: ['/bin/sh', '-c', 'serve $PORT'],
    })
    assert.deepEqual(paths(image), [
      ['srv/public', 'srv/public/css', 'srv/public/css/a.css', 'srv/public/index.html'],
      ['bin/tool'],
    ])
    const [, [tool]] = image.layers as [unknown, [TarEntry]]
    assert.deepEqual([tool.mode, tool.uid, tool.gid], [0o755, 7, 9])
  })

  test('knows values, what to have without them, and a dollar that is one', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a Dockerfile's
    assert.equal(substituted('$A-${A}-${B:-b c}-${B}-\\$A', { A: '1' }), '1-1-b c--$A')
  })

  test('copies links as links', async () => {
    const folder = newFolder({ Dockerfile: 'FROM scratch\nCOPY . /app', 'data/a': 'a' })
    symlinkSync('data/a', join(folder, 'link'))
    const image = await buildImage({ folder, names: ['web'] })
    const link = (image.layers[0] as TarEntry[]).find(({ path }) => path === 'app/link')
    assert.equal(link?.type === 'link' && link.target, 'data/a')
  })

  test('begins with another image', async () => {
    const base = await build('FROM scratch\nENV A=1\nCOPY tool /tool\nENTRYPOINT ["/tool"]\nCMD ["x"]', { tool: '' })
    const folder = newFolder({ Dockerfile: 'FROM base.tar\nENV B=$A$A\nENTRYPOINT ["/other"]' })
    await writeImageArchive(join(folder, 'base.tar'), [await packImage(base.image)])
    const image = await buildImage({ folder, names: ['web'] })
    assert.deepEqual(image.config, { Env: ['A=1', 'B=11'], Entrypoint: ['/other'] })
    assert.equal(image.layers.length, 1)
  })

  test('refuses what it cannot do, and says where', async () => {
    const refusals: Readonly<Record<string, RegExp>> = {
      'FROM scratch\nRUN make': /line 2: RUN takes a running container/,
      'FROM scratch\nFROM scratch': /line 2: builds in stages/,
      'COPY a b': /line 1: COPY comes before FROM/,
      'FROM scratch\nCOPY --from=x a b': /line 2: there are no other stages/,
      'FROM scratch\nCOPY --link a b': /line 2: there is no --link/,
      'FROM scratch\nCOPY --chown=web a b': /--chown takes numbers/,
      'FROM scratch\nADD http://x/y /y': /neither fetches nor unpacks/,
      'FROM scratch\n\nFETCH x': /line 3: there is no instruction FETCH/,
      'FROM web': /line 1: there is no runtime to ask for web/,
      'FROM scratch\nENV': /assigns nothing/,
      '# nothing': /there is no FROM/,
    }
    for (const [dockerfile, refusal] of Object.entries(refusals)) await assert.rejects(build(dockerfile), refusal)
    await assert.rejects(build('FROM scratch\nCOPY ../secret /'), /outside of the folder/)
    await assert.rejects(build('FROM scratch\nCOPY none /'), { code: 'ENOENT' })
  })
})

describe('the hello image', () => {
  test('has the libraries of the program that it runs', async () => {
    assert.deepEqual(
      librariesIn(
        '\tlinux-vdso.so.1 (0x00007ffd)\n\tlibdl.so.2 => /lib/libdl.so.2 (0x00007f)\n\t/lib64/ld.so.2 (0x00007f)\n',
      ),
      ['/lib/libdl.so.2', '/lib64/ld.so.2'],
    )
    assert.throws(() => librariesIn('\tliba.so => not found\n'), /liba.so is not there/)
    assert.deepEqual(await sharedLibraries(process.execPath).then((found) => found.length > 0), true)
  })

  test('runs by what is in it alone, says who answers, and ends when it is asked to', {
    skip: process.getuid?.() !== 0 && 'a root folder of its own takes root',
  }, async () => {
    const folder = newFolder()
    const [{ config, layers } = assert.fail()] = await helloImages()
    for (const layer of layers) {
      const archive = await writeChunks('digest' in layer ? layer.content.chunks() : tarChunks(layer))
      execFileSync('tar', ['-xf', archive, '-C', folder])
      rmSync(archive)
    }
    const server = spawn('chroot', [folder, ...config.Entrypoint!, ...config.Cmd!], {
      env: { ...Object.fromEntries(config.Env!.map((pair) => pair.split('='))), PATH: process.env.PATH, PORT: '0' },
    })
    const [line] = await server.stdout.take(1).toArray()
    assert.match(String(line), /listening on port/)
    server.kill('SIGTERM')
    assert.deepEqual(await new Promise((resolve) => server.on('exit', (...end) => resolve(end))), [0, null])
  })
})
