import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, describe, test } from 'node:test'
import { type TarEntry, tarChunks } from '../../base/tar/writer.js'
import { type ArchiveFiles, openArchive } from './archive/archive-files.js'
import { imagesIn } from './archive/archived-image.js'
import { readContent } from './file-content.js'
import { helloImages } from './hello-image.js'
import { type Image, thisArchitecture } from './image.js'
import { packImage, writeImageArchive } from './image-archive.js'
import { pauseImage } from './pause-image.js'
import { librariesIn, sharedLibraries } from './shared-libraries.js'

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

const open = (path: string) => openArchive(path, { temporary: root })
const read = (files: ArchiveFiles, name: string) => readContent(files.file(name).content, 1 << 20)

const writeTar = (entries: readonly TarEntry[]) => writeChunks(tarChunks(entries))

const bytes = (text: string) => Buffer.from(text)
const long = `${'folder/'.repeat(30)}file`

describe('a tar archive', () => {
  const entries: TarEntry[] = [
    { type: 'directory', path: 'bin', mode: 0o700 },
    { type: 'file', path: 'bin/tool', mode: 0o4755, uid: 7, gid: 9, content: bytes('tool') },
    { type: 'file', path: 'empty', content: bytes('') },
    { type: 'file', path: 'block', content: bytes('x'.repeat(512)) },
    { type: 'link', path: 'link', target: 'bin/tool' },
    { type: 'file', path: long, content: bytes('deep') },
    { type: 'file', path: 'é/ü', content: bytes('accents') },
  ]

  test('is unpacked by the program tar', async () => {
    const archive = await writeTar(entries)
    const target = newFolder()
    execFileSync('tar', ['-xpf', archive, '-C', target, '--no-same-owner'])
    assert.equal(readFileSync(join(target, long), 'utf8'), 'deep')
    assert.equal(readFileSync(join(target, 'é/ü'), 'utf8'), 'accents')
    assert.equal(readFileSync(join(target, 'block'), 'utf8').length, 512)
    assert.equal(statSync(join(target, 'bin')).mode & 0o7777, 0o700)
    const listed = execFileSync('tar', ['-tvf', archive, '--numeric-owner', '--full-time'], { encoding: 'utf8' })
    assert.match(listed, /-rwsr-xr-x 7\/9 +4 1970-01-01 00:00:00 bin\/tool\n/)
    assert.match(listed, /link -> bin\/tool\n/)
  })

  test('can be read without being unpacked', async () => {
    const files = await open(await writeTar(entries))
    assert.deepEqual(files.names, ['bin/tool', 'empty', 'block', long, 'é/ü'])
    assert.equal((await read(files, long)).toString(), 'deep')
    assert.equal((await read(files, 'empty')).length, 0)
    assert.throws(() => files.file('none'), /has no none/)
  })

  test('of another program can be read; any other file is rejected', async () => {
    const folder = newFolder({ [long]: 'deep', short: 'short' })
    const archive = join(newFolder(), 'other.tar')
    execFileSync('tar', ['--format=pax', '-cf', archive, '-C', folder, '.'])
    assert.equal((await read(await open(archive), long)).toString(), 'deep')
    writeFileSync(archive, 'no archive'.repeat(1000))
    await assert.rejects(open(archive), /not a tar archive/)
  })
})

describe('an image', () => {
  const config = { Entrypoint: ['/tool'], Env: ['A=1'] }
  const image: Image = {
    names: ['docker.io/library/tool:1'],
    architecture: thisArchitecture(),
    config,
    layers: [[{ type: 'file', path: 'usr/bin/tool', mode: 0o755, content: bytes('tool') }]],
  }

  test('has the same bytes and digest each time', async () => {
    const [one, two] = [await packImage(image), await packImage(image)]
    assert.equal(one.manifest.digest, two.manifest.digest)
    const archive = join(newFolder(), 'image.tar')
    await writeImageArchive(archive, [one])
    const files = await open(archive)
    for (const name of files.names.filter((name) => name.startsWith('blobs/'))) {
      const sum = execFileSync('sha256sum', { input: await read(files, name), encoding: 'utf8' })
      assert.equal(sum.split(' ')[0], name.split('/').at(-1))
    }
    const { manifests } = JSON.parse((await read(files, 'index.json')).toString())
    assert.equal(manifests[0].annotations['io.containerd.image.name'], 'docker.io/library/tool:1')
  })

  test('leaves no file if the write fails', async () => {
    const broken = await packImage(image)
    const chunks = async function* () {
      yield bytes('half')
      throw new Error('the disk is broken')
    }
    const path = join(newFolder(), 'image.tar')
    const blobs = broken.blobs.map((blob) => ({ ...blob, chunks }))
    await assert.rejects(writeImageArchive(path, [{ ...broken, blobs }]), /the disk is broken/)
    assert.ok(!existsSync(path))
  })

  test('can be the base of another image', async () => {
    const archive = join(newFolder(), 'base.tar')
    await writeImageArchive(archive, [await packImage(image)])
    const [base = assert.fail()] = await imagesIn(await open(archive))
    assert.deepEqual(base.config, config)
    const packed = await packImage({ ...image, layers: [...base.layers, [{ type: 'directory', path: 'data' }]] })
    assert.equal(packed.blobs[1]?.digest, (await packImage(image)).blobs[1]?.digest)
    assert.equal(packed.blobs.length, 3)
  })

  test('of the pause program contains one small file and runs as an unprivileged user', async () => {
    const { manifest, blobs } = await packImage(pauseImage('amd64'))
    assert.ok(manifest.size + blobs.reduce((total, { size }) => total + size, 0) < 4096)
    assert.equal(pauseImage('arm64').config.User, '65535:65535')
  })
})

describe('the hello image', () => {
  test('contains the shared libraries of its program', async () => {
    assert.deepEqual(
      librariesIn(
        '\tlinux-vdso.so.1 (0x00007ffd)\n\tlibdl.so.2 => /lib/libdl.so.2 (0x00007f)\n\t/lib64/ld.so.2 (0x00007f)\n',
      ),
      ['/lib/libdl.so.2', '/lib64/ld.so.2'],
    )
    assert.throws(() => librariesIn('\tliba.so => not found\n'), /shared library not found: liba.so/)
    assert.deepEqual(await sharedLibraries(process.execPath).then((found) => found.length > 0), true)
  })

  test('runs with its own files only, responds with its host name, and exits on SIGTERM', {
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
