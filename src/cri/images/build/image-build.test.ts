import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { contentChunks, type TarEntry } from '../../../base/tar/writer.js'
import type { RunRequest } from '../dockerfile/run-request.js'
import type { FinishedLayer, Image } from '../image.js'
import { finishLayer, packImage, writeImageArchive } from '../image-archive.js'
import { FileTree } from './file-tree.js'
import { type BuildOptions, buildImage } from './image-build.js'
import { layerChanges } from './layer-changes.js'

const root = mkdtempSync(join(tmpdir(), 'proa-build-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0
function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, `${folders++}`)
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** The settings of `FROM scratch`. */
const usualPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

type Files = Readonly<Record<string, string>>

interface Built {
  readonly image: Image
  readonly reports: string[]
}

async function build(dockerfile: string, files: Files = {}, options: Partial<BuildOptions> = {}): Promise<Built> {
  const reports: string[] = []
  const image = await buildImage({
    dockerfile,
    folder: newFolder(files),
    names: ['web'],
    temporary: newFolder(),
    report: (text) => reports.push(text),
    ...options,
  })
  return { image, reports }
}

/** The files of an image, as a container would see them. */
async function filesOf({ layers }: Image): Promise<FileTree> {
  const tree = new FileTree()
  for (const layer of layers) tree.apply('digest' in layer ? await layerChanges(layer.content, newFolder()) : layer)
  return tree
}

async function text(tree: FileTree, path: string): Promise<string> {
  const entry = tree.get(path)
  assert.equal(entry?.type, 'file', path)
  const chunks: Uint8Array[] = []
  for await (const chunk of contentChunks((entry as Extract<TarEntry, { type: 'file' }>).content)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Simulates a runtime with one image. */
async function having(name: string, image: Image): Promise<NonNullable<BuildOptions['exportImage']>> {
  const archive = join(newFolder(), 'image.tar')
  await writeImageArchive(archive, [await packImage({ ...image, names: [name] })])
  return async (wanted) => {
    if (wanted !== name) throw new Error(`there is no ${wanted}`)
    return archive
  }
}

describe('a build', () => {
  test('combines files and settings', async () => {
    const { image } = await build(
      `# a comment
       FROM scratch
       ARG PLACE=/srv
       ENV GREETING="hello world" \\
           # in between
           PORT=80
       WORKDIR $PLACE
       COPY site ./public/
       COPY --chown=7:9 --chmod=0755 tool /bin/
       EXPOSE $PORT 53/udp
       ENTRYPOINT ["/bin/tool"]
       CMD serve $PORT`,
      { 'site/index.html': '<p>', 'site/css/a.css': '', tool: '#!' },
    )
    assert.deepEqual(image.names, ['docker.io/library/web:latest'])
    assert.deepEqual(image.config, {
      Env: [usualPath, 'GREETING=hello world', 'PORT=80'],
      WorkingDir: '/srv',
      ExposedPorts: { '80/tcp': {}, '53/udp': {} },
      Entrypoint: ['/bin/tool'],
      Cmd: ['/bin/sh', '-c', 'serve $PORT'],
    })
    const tree = await filesOf(image)
    assert.deepEqual(tree.paths.sort(), [
      ...['bin', 'bin/tool', 'srv', 'srv/public'],
      ...['srv/public/css', 'srv/public/css/a.css', 'srv/public/index.html'],
    ])
    const tool = tree.get('bin/tool') as TarEntry
    assert.deepEqual([tool.mode, tool.uid, tool.gid], [0o755, 7, 9])
  })

  test('copies files from an earlier stage, and nothing else of it', async () => {
    const { image, reports } = await build(
      `FROM scratch AS files
       COPY --chown=5 a b /out/
       FROM scratch AS unused
       COPY missing /
       FROM scratch
       COPY --from=files /out/a /a
       COPY --from=0 --chown=6 /out /out`,
      { a: 'A', b: 'B' },
    )
    const tree = await filesOf(image)
    assert.deepEqual(tree.paths.sort(), ['a', 'out', 'out/a', 'out/b'])
    assert.equal(await text(tree, 'a'), 'A')
    assert.deepEqual(
      ['a', 'out/b'].map((path) => (tree.get(path) as TarEntry).uid),
      [5, 6],
    )
    assert.ok(!reports.some((line) => line.includes('missing')))
  })

  test('starts from another image or another stage', async () => {
    const base = await build('FROM scratch\nENV A=1\nCOPY tool /tool\nENTRYPOINT ["/tool"]\nCMD ["x"]', { tool: 'T' })
    const exportImage = await having('docker.io/library/base:1', base.image)
    const dockerfile = `
      ARG TAG=1
      FROM base:$TAG AS first
      ARG WHO=you
      ENV B=$A$A
      FROM first
      LABEL for=$WHO
      COPY --from=base:1 /tool /copy
      ENTRYPOINT ["/other"]`
    const { image } = await build(dockerfile, {}, { exportImage })
    assert.deepEqual(image.config, {
      Env: [usualPath, 'A=1', 'B=11'],
      WorkingDir: '/',
      Labels: { for: 'you' },
      Entrypoint: ['/other'],
    })
    const tree = await filesOf(image)
    assert.deepEqual(tree.paths.sort(), ['copy', 'tool'])
    assert.equal(await text(tree, 'copy'), 'T')
    assert.equal(image.layers.length, 2)
  })

  test('starts from an archive in the build context', async () => {
    const base = await build('FROM scratch\nCOPY a /a', { a: 'A' })
    const folder = newFolder()
    await writeImageArchive(join(folder, 'base.tar'), [await packImage(base.image)])
    const { image } = await build('FROM base.tar\nUSER 7', {}, { folder })
    assert.deepEqual((await filesOf(image)).paths, ['a'])
    writeFileSync(join(folder, 'base.tar'), 'nothing')
    await assert.rejects(build('FROM base.tar', {}, { folder }), /is incomplete/)
  })

  test('builds only the target', async () => {
    const dockerfile = 'FROM scratch AS one\nENV A=1\nFROM scratch AS two\nENV A=2\nFROM scratch\nENV A=3'
    const { image } = await build(dockerfile, {}, { target: 'two' })
    assert.deepEqual(image.config.Env, [usualPath, 'A=2'])
  })

  test('executes the ONBUILD instructions of its base', async () => {
    const base = await build('FROM scratch\nONBUILD ENV A=1\nONBUILD COPY a /a')
    const exportImage = await having('docker.io/library/base:latest', base.image)
    const { image } = await build('FROM base\nENV B=$A', { a: 'A' }, { exportImage })
    assert.deepEqual(image.config.Env, [usualPath, 'A=1', 'B=1'])
    assert.equal(image.config.OnBuild, undefined)
    assert.deepEqual((await filesOf(image)).paths, ['a'])
  })

  test('excludes the files in .dockerignore, and reports it', async () => {
    const files = { '.dockerignore': 'secret\n*.log\n!keep.log', secret: '', 'a.log': '', 'keep.log': '', 'src/a': '' }
    const { image } = await build('FROM scratch\nCOPY . /app/', files)
    assert.deepEqual((await filesOf(image)).paths.sort(), [
      'app',
      'app/.dockerignore',
      'app/keep.log',
      'app/src',
      'app/src/a',
    ])
    await assert.rejects(build('FROM scratch\nCOPY secret /', files), {
      message: 'Dockerfile line 2: COPY: secret is left out by .dockerignore',
    })
  })

  test('prefers the ignore file of its own Dockerfile', async () => {
    const folder = newFolder({ '.dockerignore': 'a', 'other.dockerignore': 'b', a: '', b: '' })
    const { image } = await build('FROM scratch\nCOPY [ab] /', {}, { folder, dockerfilePath: join(folder, 'other') })
    assert.deepEqual((await filesOf(image)).paths, ['a'])
  })

  test('copies links as links, but follows a link that is a source', async () => {
    const folder = newFolder({ 'data/a': 'A' })
    symlinkSync('data/a', join(folder, 'link'))
    chmodSync(join(folder, 'data/a'), 0o640)
    const { image } = await build('FROM scratch\nCOPY . /all\nCOPY link /one', {}, { folder })
    const tree = await filesOf(image)
    assert.deepEqual(tree.get('all/link'), { type: 'link', path: 'all/link', target: 'data/a', uid: 0, gid: 0 })
    assert.equal(await text(tree, 'one'), 'A')
    assert.equal((tree.get('one') as TarEntry).mode, 0o640)
  })

  test('unpacks archives with ADD and copies them with COPY', async () => {
    const folder = newFolder({ 'in/a': 'A', 'in/b/c': 'C', 'text.gz': 'no archive' })
    symlinkSync('a', join(folder, 'in/link'))
    for (const [file, flags] of [
      ['x.tar', '-cf'],
      ['x.tgz', '-czf'],
    ] as const)
      execFileSync('tar', [flags, join(folder, file), '-C', join(folder, 'in'), '.'])
    const dockerfile = 'FROM scratch\nADD x.tar /plain\nADD *.tgz text.gz /other/\nCOPY x.tgz /x.tgz'
    const tree = await filesOf((await build(dockerfile, {}, { folder })).image)
    assert.equal(await text(tree, 'plain/b/c'), 'C')
    assert.equal(await text(tree, 'other/a'), 'A')
    assert.equal(tree.get('other/link')?.type, 'link')
    assert.equal(await text(tree, 'other/text.gz'), 'no archive')
    assert.equal(tree.get('x.tgz')?.type, 'file')
    writeFileSync(join(folder, 'x.tbz'), 'BZh91AY&SY')
    await assert.rejects(
      build('FROM scratch\nADD x.tbz /', {}, { folder }),
      /ADD cannot unpack x.tbz: .*bzip2.*COPY copies/,
    )
  })

  test('writes heredocs to files', async () => {
    const { image } = await build('FROM scratch\nARG A=1\nCOPY <<one <<"two" /x/\na $A\none\nb $A\ntwo\n')
    const tree = await filesOf(image)
    assert.equal(await text(tree, 'x/one'), 'a 1\n')
    assert.equal(await text(tree, 'x/two'), 'b $A\n')
  })

  test('looks up the names of owners in the image', async () => {
    const { image } = await build('FROM scratch\nCOPY passwd /etc/\nCOPY --chown=web passwd /own', {
      passwd: 'web:x:1000:2000::/:\n',
    })
    const own = (await filesOf(image)).get('own') as TarEntry
    assert.deepEqual([own.uid, own.gid], [1000, 2000])
  })

  test('runs commands if there is a runtime', async () => {
    const seen: [Image, RunRequest][] = []
    const run = async (image: Image, request: RunRequest): Promise<FinishedLayer> => {
      seen.push([image, request])
      return finishLayer([{ type: 'file', path: 'made', content: Buffer.from('M') }])
    }
    const { image } = await build(
      'FROM scratch\nARG B=2\nENV A=1\nRUN make $A\nCOPY --chown=7 a /a\nRUN ["x"]',
      { a: '' },
      { run },
    )
    assert.deepEqual(
      seen.map(([, { line, command, environment }]) => [line, command, environment]),
      [
        [4, ['/bin/sh', '-c', 'make $A'], ['B=2', usualPath, 'A=1']],
        [6, ['x'], ['B=2', usualPath, 'A=1']],
      ],
    )
    assert.deepEqual(
      seen.map(([{ layers }]) => layers.length),
      [0, 2],
    )
    assert.deepEqual((await filesOf(image)).paths.sort(), ['a', 'made'])
    assert.deepEqual(image.config, { Env: [usualPath, 'A=1'], WorkingDir: '/' })
  })

  test('reports its steps, and instructions without effect', async () => {
    const { reports } = await build(
      'FROM scratch\nHEALTHCHECK CMD curl x\nCMD ["x"]',
      {},
      { arguments: new Map([['TYPO', '1']]) },
    )
    assert.deepEqual(reports, [
      'note: --build-arg TYPO has no effect; the Dockerfile has no ARG TYPO',
      'line 1: FROM scratch',
      'line 2: HEALTHCHECK CMD curl x',
      'note: line 2: HEALTHCHECK has no effect in Kubernetes; give the container a probe',
      'line 3: CMD ["x"]',
    ])
  })

  const refusals: Readonly<Record<string, RegExp>> = {
    'FROM scratch\nRUN make': /line 2: RUN: there is no container runtime to run it/,
    'FROM web': /line 1: FROM: there is no container runtime to get the image web from/,
    'FROM We?b': /line 1: FROM: We\?b is not the name of an image/,
    'FROM scratch\nCOPY none /': /line 2: COPY: there is no none to copy/,
    'FROM scratch\nCOPY ../secret /': /line 2: COPY: \.\.\/secret leads outside of the build context/,
    'FROM scratch\nCOPY --chown=web a /': /line 2: COPY: --chown cannot resolve web: the image has no \/etc\/passwd/,
    'FROM scratch\nCOPY --from=scratch2 a /':
      /line 2: COPY: there is no container runtime to get the image scratch2 from/,
  }
  for (const [dockerfile, refusal] of Object.entries(refusals))
    test(`rejects ${dockerfile.split('\n').at(-1)}`, async () => {
      await assert.rejects(build(dockerfile, { a: '' }), { name: 'DockerfileError', message: refusal })
    })

  test('reports a missing base image with its line', async () => {
    const { image } = await build('FROM scratch')
    const exportImage = await having('docker.io/library/base:1', image)
    await assert.rejects(build('FROM base:2', {}, { exportImage }), {
      message: 'Dockerfile line 1: FROM: there is no docker.io/library/base:2',
    })
  })
})
