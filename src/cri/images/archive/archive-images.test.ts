import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type TarEntry, tarChunks } from '../../../base/tar/writer.js'
import { type Image, thisArchitecture } from '../image.js'
import { imageArchive, packImage } from '../image-archive.js'
import { readImages, renameImage, requireNames } from './archive-images.js'
import { namesFrom, packArchivedImage } from './archived-image.js'

const root = mkdtempSync(join(tmpdir(), 'proa-read-images-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0
function newFolder(): string {
  const folder = join(root, `${folders++}`)
  mkdirSync(folder)
  return folder
}

const file = (path: string, content: string | Buffer): TarEntry => ({
  type: 'file',
  path,
  content: Buffer.from(content),
})
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

const tar = (...entries: readonly TarEntry[]) => collect(tarChunks(entries))

/** Yields the bytes in pieces, like a pipe. */
async function* piped(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777)
}

const read = (bytes: Buffer, sizeLimit?: number) =>
  readImages(piped(bytes), { temporary: newFolder(), ...(sizeLimit !== undefined && { sizeLimit }) })

const image: Image = {
  names: ['docker.io/library/tool:1', 'docker.io/library/tool:2'],
  architecture: thisArchitecture(),
  config: { Entrypoint: ['/tool'] },
  layers: [[file('tool', 'tool')], [file('etc/settings', 'a=b')]],
}

const ociArchive = async (changes: Partial<Image> = {}) =>
  collect(imageArchive([await packImage({ ...image, ...changes })]))

interface DockerParts {
  readonly layer?: Buffer
  readonly diffId?: string
  readonly tags?: readonly string[] | null
  readonly config?: object
  readonly extra?: readonly TarEntry[]
}

/** The format of `docker save` before version 25, with a link for a layer that occurs twice. */
async function dockerArchive(parts: DockerParts = {}): Promise<Buffer> {
  const { layer, diffId, tags = ['tool:1'], config = {}, extra = [] } = parts
  const bytes = layer ?? (await tar(file('tool', 'tool')))
  const id = `sha256:${diffId ?? sha256(bytes)}`
  const rootfs = { type: 'layers', diff_ids: [id, id] }
  const settings = { Cmd: ['/tool'], Entrypoint: null, OnBuild: null, Volumes: null, Tty: false, ...config }
  const document = { architecture: thisArchitecture(), os: 'linux', config: settings, rootfs }
  const layers = ['one/layer.tar', 'two/layer.tar']
  return tar(
    file('config.json', JSON.stringify(document)),
    file('one/layer.tar', bytes),
    { type: 'link', path: 'two/layer.tar', target: '../one/layer.tar' },
    file('manifest.json', JSON.stringify([{ Config: 'config.json', RepoTags: tags, Layers: layers }])),
    ...extra,
  )
}

describe('reading images', () => {
  test('an OCI archive keeps its manifest, and the names of one image are merged', async () => {
    const [found, ...others] = await read(await ociArchive())
    assert.equal(others.length, 0)
    assert.deepEqual(found?.names, image.names)
    assert.deepEqual(found.config, image.config)
    assert.equal(found.manifest.digest, (await packImage(image)).manifest.digest)
  })

  test('an archive of docker save gets a manifest', async () => {
    const layer = await tar(file('tool', 'tool'))
    const [found] = await read(await dockerArchive({ layer }))
    assert.deepEqual(found?.names, ['docker.io/library/tool:1'])
    assert.deepEqual(found.config, { Cmd: ['/tool'], Tty: false })
    assert.deepEqual(
      found.layers.map(({ digest }) => digest),
      [`sha256:${sha256(layer)}`, `sha256:${sha256(layer)}`],
    )
    const [again] = await read(await collect(imageArchive([packArchivedImage(found)])))
    assert.deepEqual(
      again?.layers.map(({ diffId }) => diffId),
      found.layers.map(({ diffId }) => diffId),
    )
  })

  test('compressed archives and compressed layers can be read', async () => {
    const layer = await tar(file('tool', 'tool'))
    const bytes = await dockerArchive({ layer: gzipSync(layer), diffId: sha256(layer) })
    const [found] = await read(gzipSync(bytes))
    assert.match(found?.layers[0]?.mediaType ?? '', /tar\+gzip$/)
  })

  test('a plain file is read in place; other sources are copied', async () => {
    const [folder, temporary] = [newFolder(), newFolder()]
    writeFileSync(join(folder, 'plain.tar'), await ociArchive())
    await readImages(join(folder, 'plain.tar'), { temporary })
    assert.deepEqual(readdirSync(temporary), [])
    writeFileSync(join(folder, 'image.tgz'), gzipSync(await ociArchive()))
    await readImages(join(folder, 'image.tgz'), { temporary })
    assert.match(readdirSync(temporary).join(), /^archive-\d+\.tar$/)
  })

  test('the image for this platform is selected', async () => {
    const { manifest, blobs } = await packImage(image)
    const platform = { architecture: thisArchitecture(), os: 'linux' }
    const none = { architecture: 'unknown', os: 'unknown' }
    const missing = { mediaType: manifest.mediaType, digest: `sha256:${'0'.repeat(64)}`, size: 1 }
    const here = { mediaType: manifest.mediaType, digest: manifest.digest, size: manifest.size, platform }
    const inner = Buffer.from(JSON.stringify({ manifests: [{ ...missing, platform: none }, here] }))
    const annotations = { 'io.containerd.image.name': 'localhost/tool:1' }
    const index = { manifests: [{ digest: `sha256:${sha256(inner)}`, mediaType: '', size: inner.length, annotations }] }
    const blobEntries = [manifest, ...blobs].map(
      (blob): TarEntry => ({ type: 'file', path: `blobs/${blob.digest.replace(':', '/')}`, content: blob }),
    )
    const innerFile = file(`blobs/sha256/${sha256(inner)}`, inner)
    const [found] = await read(await tar(file('index.json', JSON.stringify(index)), innerFile, ...blobEntries))
    assert.deepEqual(found?.names, ['localhost/tool:1'])
    assert.equal(found.manifest.digest, manifest.digest)
  })

  test('images for other platforms are ignored', async () => {
    const { manifest, blobs } = await packImage(image)
    const digest = `sha256:${'0'.repeat(64)}`
    const foreign = { digest, platform: { architecture: 's390x', os: 'linux' } }
    const annotations = { 'org.opencontainers.image.ref.name': 'localhost/tool:1' }
    const entries = [manifest, ...blobs].map(
      (blob): TarEntry => ({ type: 'file', path: `blobs/${blob.digest.replace(':', '/')}`, content: blob }),
    )
    const archiveOf = (...manifests: object[]) => tar(file('index.json', JSON.stringify({ manifests })), ...entries)
    const [found] = await read(await archiveOf(foreign, { digest: manifest.digest, annotations }))
    assert.deepEqual(found?.names, ['localhost/tool:1'])
    await assert.rejects(read(await archiveOf(foreign)), /built for linux\/s390x; this host is/)
  })

  test('only a complete reference is a name', () => {
    const cases: [Record<string, string>, string[]][] = [
      [{ 'io.containerd.image.name': 'docker.io/library/web:1' }, ['docker.io/library/web:1']],
      [{ 'org.opencontainers.image.ref.name': 'localhost/web:1' }, ['localhost/web:1']],
      [{ 'org.opencontainers.image.ref.name': 'web:1' }, ['docker.io/library/web:1']],
      [{ 'org.opencontainers.image.ref.name': 'latest' }, []],
      [{}, []],
    ]
    for (const [annotations, names] of cases) assert.deepEqual(namesFrom(annotations), names)
    assert.throws(() => namesFrom({ 'io.containerd.image.name': 'Not A Name' }), /invalid name: "Not A Name"/)
  })

  test('an image without a name gets the given name, or is rejected', async () => {
    const images = await read(await dockerArchive({ tags: null }))
    assert.throws(() => requireNames(images), /without a name; choose one with -t NAME/)
    assert.deepEqual(renameImage(images, ['docker.io/library/x:1'])[0]?.names, ['docker.io/library/x:1'])
    assert.throws(() => renameImage([...images, ...images], ['x']), /has 2 images/)
  })
})

describe('an archive is rejected with the reason:', () => {
  const outside = [{ type: 'file', path: '../../etc/passwd', content: Buffer.from('x') }] as const
  const layerWith = (...entries: readonly TarEntry[]) => tar(...entries).then((layer) => dockerArchive({ layer }))
  const other = thisArchitecture() === 'amd64' ? 'arm64' : 'amd64'
  const cases: Readonly<Record<string, [archive: () => Promise<Buffer>, reason: RegExp]>> = {
    'an empty pipe': [async () => Buffer.alloc(0), /the archive is empty/],
    'a file that is not an archive': [async () => Buffer.alloc(5000, 'text'), /not a tar archive, or it is damaged/],
    'an archive of files': [() => tar(file('bin/sh', '')), /neither index.json .* nor manifest.json/],
    'an index without an image': [() => tar(file('index.json', '{"manifests":[]}')), /contains no image/],
    'an index that is not JSON': [() => tar(file('index.json', '{')), /index.json in the archive is not valid JSON/],
    'an index of another shape': [() => tar(file('index.json', '{"manifests":7}')), /index.json .* does not describe/],
    'a digest that is a path': [
      () => tar(file('index.json', '{"manifests":[{"digest":"sha256:../../x"}]}')),
      /invalid digest: sha256:\.\.\/\.\.\/x/,
    ],
    'a missing layer': [
      () => tar(file('manifest.json', '[{"Config":"c.json","RepoTags":["a:1"],"Layers":["l.tar"]}]')),
      /incomplete: it has no c.json/,
    ],
    'a layer with other content': [() => dockerArchive({ diffId: '0'.repeat(64) }), /does not match its image/],
    'a layer that is not an archive': [() => dockerArchive({ layer: Buffer.alloc(600, 'x') }), /not a tar archive/],
    'an entry outside of it': [
      () => dockerArchive({ extra: outside }),
      /leads outside of it: "\.\.\/\.\.\/etc\/passwd"/,
    ],
    'a link outside of it': [
      () => dockerArchive({ extra: [{ type: 'link', path: 'x', target: '/etc/shadow' }] }),
      /leads outside of it: "x"/,
    ],
    'a link to itself': [
      () => tar({ type: 'link', path: 'index.json', target: 'index.json' }, file('a', 'a')),
      /neither index.json/,
    ],
    'a duplicate entry': [() => dockerArchive({ extra: [file('config.json', '{}')] }), /has config.json twice/],
    'a layer with a path outside of it': [() => layerWith(...outside), /layer with a path that leads outside/],
    'an image for another processor': [
      () => ociArchive({ architecture: other }),
      /is built for linux\/(arm|amd)64; this/,
    ],
    'a setting of another type': [() => dockerArchive({ config: { Env: 'A=1' } }), /config.json .* does not describe/],
    'too many images': [
      () => tar(file('manifest.json', JSON.stringify(Array(1001).fill({ Config: 'c', Layers: [], RepoTags: [] })))),
      /has more than 1000 images/,
    ],
    'a path that is too long': [() => tar(file(`${'x/'.repeat(3000)}x`, '')), /a path that is too long/],
    'an invalid name': [() => dockerArchive({ tags: ['../x'] }), /invalid name: "\.\.\/x"/],
    'an unsupported compression': [
      async () => Buffer.from('BZh91AY&SY'),
      /bzip2 compression is not supported; use gzip/,
    ],
  }
  for (const [name, [archive, reason]] of Object.entries(cases))
    test(name, async () => assert.rejects(read(await archive()), { name: 'ArchiveError', message: reason }))

  test('an archive that is truncated at any position', async () => {
    for (const whole of [await dockerArchive(), gzipSync(await ociArchive())])
      for (let length = 100; length < whole.length - 1024; length += 611)
        await assert.rejects(read(whole.subarray(0, length)), { name: 'ArchiveError', message: /incomplete|no image/ })
  })

  test('a folder', async () => {
    await assert.rejects(readImages(root, { temporary: root }), /is a folder; an archive is needed/)
  })

  test('a blob whose bytes were changed', async () => {
    const bytes = await ociArchive()
    bytes[bytes.indexOf('a=b')] = 'A'.charCodeAt(0)
    await assert.rejects(read(bytes), /is damaged: blobs\/sha256\/[0-9a-f]{64} does not have the digest/)
  })

  test('a compressed archive, or layer, that expands beyond the limit', async () => {
    const limit = 1 << 20
    const zeros = await tar(file('zeros', Buffer.alloc(4 << 20)))
    await assert.rejects(read(gzipSync(zeros), limit), /the archive is larger than 1 MiB when it is unpacked/)
    const bomb = await dockerArchive({ layer: gzipSync(zeros), diffId: sha256(zeros) })
    assert.ok(bomb.length < limit)
    await assert.rejects(read(bomb, limit), /content of the layers is larger than 1 MiB when it is unpacked/)
    assert.equal((await read(bomb, 16 << 20)).length, 1)
  })

  test('a file with a size beyond any disk', async () => {
    const bytes = await tar(file('index.json', '{}'))
    bytes.write('77777777777\0', 124, 'latin1')
    bytes.fill(' ', 148, 156)
    const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0)
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    await assert.rejects(read(bytes), /is incomplete/)
  })
})
