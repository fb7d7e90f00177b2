import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { readTar } from './reader.js'
import { type TarEntry, tarChunks } from './writer.js'

async function archive(entries: readonly TarEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of tarChunks(entries)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* cut(bytes: Buffer, step: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
}

async function read(bytes: Buffer, step = 10_000): Promise<readonly object[]> {
  const found: object[] = []
  for await (const { name, flag, target, chunks } of readTar(cut(bytes, step))) {
    const content: Uint8Array[] = []
    for await (const chunk of chunks()) content.push(chunk)
    found.push({ name, flag, target, content: Buffer.concat(content).toString('latin1') })
  }
  return found
}

const name = fc
  .array(fc.stringMatching(/^[a-zé]{1,40}$/), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join('/'))

test('a written archive is read back, in chunks of any size', async () => {
  const file = fc.record({ path: name, content: fc.uint8Array({ maxLength: 1500 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 5 }), fc.integer({ min: 1, max: 2000 }), async (files, step) => {
      const entries = files.map((each) => ({ type: 'file' as const, ...each }))
      const expected = files.map(({ path, content }) => ({
        name: path,
        flag: '0',
        target: '',
        content: Buffer.from(content).toString('latin1'),
      }))
      assert.deepEqual(await read(await archive(entries), step), expected)
    }),
    { numRuns: 50 },
  )
})

test('files, folders and links are distinguished, and unread content is skipped', async () => {
  const long = 'deep/'.repeat(40)
  const bytes = await archive([
    { type: 'directory', path: 'folder' },
    { type: 'link', path: 'link', target: `${long}target` },
    { type: 'file', path: `${long}file`, content: Buffer.alloc(700, 'x') },
    { type: 'file', path: 'last', content: Buffer.from('end') },
  ])
  const seen: string[] = []
  for await (const each of readTar(cut(bytes, 99))) seen.push(`${each.flag} ${each.name} ${each.target} ${each.size}`)
  assert.deepEqual(seen, ['5 folder/  0', `2 link ${long}target 0`, `0 ${long}file  700`, '0 last  3'])
})

test('an archive is complete only with its end mark, and its source is always closed', async () => {
  const bytes = await archive([{ type: 'directory', path: 'folder' }])
  const marks: boolean[] = []
  for (const length of [bytes.length, 512]) {
    let [isWhole, isClosed] = [false, false]
    const source = async function* () {
      try {
        yield* cut(bytes.subarray(0, length), 512)
      } finally {
        isClosed = true
      }
    }
    for await (const _ of readTar(source(), () => {
      isWhole = true
    }));
    assert.ok(isClosed)
    marks.push(isWhole)
  }
  assert.deepEqual(marks, [true, false])
})

test('the source is closed if the reader stops early', async () => {
  const bytes = await archive(['a', 'b'].map((path) => ({ type: 'directory' as const, path })))
  let isClosed = false
  const source = async function* () {
    try {
      yield* cut(bytes, 512)
    } finally {
      isClosed = true
    }
  }
  for await (const _ of readTar(source())) break
  assert.ok(isClosed)
})

test('owner, mode and the offset of the content are read', async () => {
  const content = Buffer.from('text')
  const bytes = await archive([
    { type: 'file', path: 'small', mode: 0o4755, uid: 7, gid: 9, content },
    { type: 'file', path: 'large', uid: 3_000_000, gid: 4_000_000_000, content },
  ])
  const seen: object[] = []
  for await (const { name, mode, uid, gid, start, size } of readTar(cut(bytes, 700))) {
    seen.push({ name, mode, uid, gid })
    assert.equal(bytes.toString('latin1', start, start + size), 'text')
  }
  assert.deepEqual(seen, [
    { name: 'small', mode: 0o4755, uid: 7, gid: 9 },
    { name: 'large', mode: 0o644, uid: 3_000_000, gid: 4_000_000_000 },
  ])
})

test('a size that no file can have is rejected', async () => {
  const bytes = await archive([{ type: 'file', path: 'file', content: Buffer.alloc(0) }])
  for (const size of ['-0000000001\0', '\xff'.repeat(12)]) {
    const forged = Buffer.from(bytes)
    forged.write(size, 124, 'latin1')
    forged.fill(' ', 148, 156)
    const sum = forged.subarray(0, 512).reduce((total, byte) => total + byte, 0)
    forged.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    await assert.rejects(read(forged), /invalid tar header/)
  }
})

test('invalid and truncated archives are rejected', async () => {
  const bytes = await archive([{ type: 'file', path: 'file', content: Buffer.alloc(2000, 'x') }])
  await assert.rejects(read(Buffer.alloc(512, 'no archive')), /archive\/tar: invalid tar header/)
  for (const length of [100, 512, 1000, 2500]) await assert.rejects(read(bytes.subarray(0, length)), /unexpected EOF/)
  assert.deepEqual(await read(Buffer.alloc(0)), [])
})

for (const format of ['ustar', 'gnu', 'pax', 'oldgnu', 'v7'])
  test(`tar's archives in the format ${format} are read`, async () => {
    const script = `
      cd "$(mktemp -d)" && mkdir -p a/b && echo hello > a/b/file && ln a/b/file a/hard && ln -s b/file a/soft
      ${format === 'v7' ? '' : 'd=a; for i in 1 2 3 4 5 6 7; do d=$d/a-long-name-of-a-folder; done; mkdir -p $d && echo deep > $d/file'}
      tar --format=${format} --sort=name -cf - a; rm -r "$PWD"`
    const found = await read(execFileSync('sh', ['-c', script]))
    const files = Object.fromEntries(
      found.map((each) => {
        const { name: path, flag, target, content } = each as Record<string, string>
        return [path, `${flag} ${target} ${content}`]
      }),
    )
    assert.equal(files['a/b/file'], '0  hello\n')
    assert.equal(files['a/hard'], '1 a/b/file ')
    assert.equal(files['a/soft'], '2 b/file ')
    if (format !== 'v7') assert.equal(files[`a/${'a-long-name-of-a-folder/'.repeat(7)}file`], '0  deep\n')
  })
