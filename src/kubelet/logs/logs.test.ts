import assert from 'node:assert/strict'
import fs, {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { logLines } from '../../cri/simulated/container-log.js'
import { type LogOptions, logOptions } from './log-options.js'
import { LogRotation } from './log-rotation.js'
import { readLog } from './read-log.js'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'proa-logs-'))
})
after(() => {
  clearInterval(alive)
  rmSync(folder, { recursive: true })
})
const alive = setInterval(() => {}, 60_000) // timers of the clock do not keep the process alive

const at = (second: number) => BigInt(Date.UTC(2026, 0, 1, 0, 0, second)) * 1_000_000n
const usual: LogOptions = { follow: false, previous: false, timestamps: false, stream: 'All' }
let files = 0

function write(content: string): string {
  const path = join(folder, `${files++}.log`)
  writeFileSync(path, content)
  return path
}

async function read(path: string, options: Partial<LogOptions> = {}): Promise<string> {
  const source = { path, isRunning: async () => false }
  const reading = { clock: systemClock, signal: new AbortController().signal }
  let text = ''
  for await (const piece of readLog(source, { ...usual, ...options }, reading)) text += piece
  return text
}

const three =
  logLines(at(1), 'stdout', 'one\n') + logLines(at(2), 'stderr', 'two\n') + logLines(at(3), 'stdout', 'three\n')

describe('a log', () => {
  test("is the output without the runtime's prefixes", async () => {
    assert.equal(await read(write(three)), 'one\ntwo\nthree\n')
    assert.equal(await read(write(three), { stream: 'Stderr' }), 'two\n')
    assert.equal(await read(write('')), '')
  })

  test('shows times with nine decimals', async () => {
    const path = write('2026-01-01T02:00:01.5+02:00 stdout F a\n2026-01-01T00:00:02Z stdout F b\n')
    assert.equal(
      await read(path, { timestamps: true }),
      '2026-01-01T02:00:01.500000000+02:00 a\n2026-01-01T00:00:02.000000000Z b\n',
    )
    assert.equal(await read(path, { since: at(2) }), 'b\n')
  })

  test('joins partial lines and shows their time once', async () => {
    const path = write(
      '2026-01-01T00:00:01Z stdout P be\n2026-01-01T00:00:02Z stdout P:x gin\n2026-01-01T00:00:03Z stdout F ning\n',
    )
    assert.equal(await read(path, { timestamps: true }), '2026-01-01T00:00:01.000000000Z beginning\n')
  })

  test('skips invalid lines, and ends with an incomplete one', async () => {
    assert.equal(await read(write(`garbage\n\n${three}2026-01-01T00:00:04Z stdout F half`)), 'one\ntwo\nthree\nhalf')
  })

  test('can be limited to its last lines and to bytes', async () => {
    const path = write(three)
    for (const [tailLines, text] of [
      [0, ''],
      [1, 'three\n'],
      [2, 'two\nthree\n'],
      [9, 'one\ntwo\nthree\n'],
    ] as const)
      assert.equal(await read(path, { tailLines }), text)
    assert.equal(await read(path, { limitBytes: 6 }), 'one\ntw')
    assert.equal(await read(path, { limitBytes: 6, timestamps: true }), '2026-0')
  })

  test('is byte-exact, also from its tail', async () => {
    const said = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), long: fc.nat(20_000) }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(said, fc.nat(25), async (lines, count) => {
        const texts = lines.map(({ text, long }) => text.replaceAll('\n', '') + 'x'.repeat(long))
        const path = write(texts.map((text, index) => logLines(at(index), 'stdout', `${text}\n`)).join(''))
        assert.equal(await read(path), texts.map((text) => `${text}\n`).join(''))
        const short = lines.map(({ text }) => text.replaceAll('\n', ''))
        const another = write(short.map((text, index) => logLines(at(index), 'stdout', `${text}\n`)).join(''))
        const last = count === 0 ? [] : short.slice(-count)
        assert.equal(await read(another, { tailLines: count }), last.map((text) => `${text}\n`).join(''))
      }),
      { numRuns: 50 },
    )
  })
})

describe('a followed log', () => {
  test('continues while its container runs, also through a rotation, and ends with it', async () => {
    const path = write(logLines(at(1), 'stdout', 'old\n'))
    let isRunning = true
    const source = { path, isRunning: async () => isRunning }
    const reading = { clock: systemClock, signal: new AbortController().signal }
    const log = readLog(source, { ...usual, follow: true, tailLines: 0 }, reading)[Symbol.asyncIterator]()
    const next = async () => String((await log.next()).value)
    const first = log.next()
    setTimeout(() => appendFileSync(path, logLines(at(2), 'stdout', 'new\n')), 50)
    assert.equal(String((await first).value), 'new\n')
    appendFileSync(path, '2026-01-01T00:00:03Z stdout F ha')
    appendFileSync(path, 'lf\n')
    assert.equal(await next(), 'half\n')
    renameSync(path, `${path}.moved`)
    appendFileSync(`${path}.moved`, logLines(at(4), 'stdout', 'late\n'))
    assert.equal(await next(), 'late\n')
    writeFileSync(path, logLines(at(5), 'stdout', 'next file\n'))
    assert.equal(await next(), 'next file\n')
    isRunning = false
    assert.equal((await log.next()).done, true)
  })

  test('ends when the client disconnects', async () => {
    const leaving = new AbortController()
    const source = { path: write(''), isRunning: async () => true }
    const log = readLog(source, { ...usual, follow: true }, { clock: systemClock, signal: leaving.signal })
    setTimeout(() => leaving.abort(), 20)
    for await (const _ of log) assert.fail()
  })
})

describe('the options of a log request', () => {
  const clock = new VirtualClock()
  const ask = (query: string) => logOptions(new URLSearchParams(query), clock)

  test('are parsed', () => {
    assert.deepEqual(ask(''), usual)
    assert.deepEqual(ask('follow=true&previous=true&timestamps=true&tailLines=3&limitBytes=9&sinceSeconds=5'), {
      ...usual,
      follow: true,
      previous: true,
      timestamps: true,
      tailLines: 3,
      limitBytes: 9,
      since: BigInt(clock.now() - 5000) * 1_000_000n,
    })
    assert.equal(ask('sinceTime=2026-01-01T00:00:01Z').since, at(1))
    assert.deepEqual([ask('tail=4').tailLines, ask('tail=all').tailLines], [4, undefined])
  })

  test('are rejected if they are malformed or invalid', () => {
    for (const query of [
      'tailLines=x',
      'sinceTime=yesterday',
      'sinceTime=2026-99-99T99:99:99Z',
      `sinceSeconds=${'9'.repeat(400)}`,
    ])
      assert.throws(() => ask(query), { code: 400 })
    for (const query of ['tailLines=-1', 'limitBytes=0', 'sinceSeconds=0', 'stream=Other', 'stream=Stdout&tailLines=1'])
      assert.throws(() => ask(query), { code: 422 })
  })
})

describe('a log that cannot be followed', () => {
  test('is closed again', async (context) => {
    const path = write(three)
    context.mock.method(fs, 'watch', () => {
      throw new Error('too many watches')
    })
    syncBuiltinESMExports()
    await assert.rejects(read(path, { follow: true }), /too many watches/)
    context.mock.restoreAll()
    syncBuiltinESMExports()
    const descriptors = readdirSync('/proc/self/fd').map((descriptor) => `/proc/self/fd/${descriptor}`)
    assert.ok(!descriptors.some((link) => existsSync(link) && readlinkSync(link) === path))
  })
})

describe('a log that exceeds its size', () => {
  async function world(reopen: (path: string) => void) {
    const home = mkdtempSync(join(folder, 'rotation-'))
    const path = join(home, '0.log')
    const clock = new VirtualClock()
    const runtime = {
      listContainers: async () => ({ containers: [{ id: 'a' }] }),
      containerStatus: async () => ({ status: { logPath: path } }),
      reopenContainerLog: async () => reopen(path),
    } as unknown as ContainerRuntime
    const rotation = new LogRotation({ environment: environment({ clock }), runtime, maxSize: 100, maxFiles: 4 })
    return { home, path, clock, rotation }
  }

  test('is rotated, the one before it is compressed, and the oldest is removed', async () => {
    const { home, path, clock, rotation } = await world((one) => writeFileSync(one, ''))
    for (let round = 0; round < 5; round++) {
      writeFileSync(path, `${round}`.repeat(100))
      await rotation.rotateAll()
      await clock.advance('1s')
    }
    rotation.close()
    assert.deepEqual(readdirSync(home).sort(), [
      '0.log',
      '0.log.20260101-000002.gz',
      '0.log.20260101-000003.gz',
      '0.log.20260101-000004',
    ])
    assert.equal(gunzipSync(readFileSync(`${path}.20260101-000003.gz`)).toString(), '3'.repeat(100))
    assert.equal(clock.pending, 0)
  })

  test('stays if it is short, or if the runtime cannot reopen it', async () => {
    const { home, path, rotation } = await world(() => {
      throw new Error('no')
    })
    writeFileSync(path, 'short')
    await rotation.rotateAll()
    assert.deepEqual(readdirSync(home), ['0.log'])
    writeFileSync(path, 'x'.repeat(100))
    await rotation.rotateAll()
    rotation.close()
    assert.deepEqual(readdirSync(home), ['0.log'])
  })
})
