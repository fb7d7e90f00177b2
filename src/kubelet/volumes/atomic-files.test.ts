import assert from 'node:assert/strict'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { atomicSteps, writeAtomically } from './atomic-files.js'
import type { Payload, VolumeFile } from './payload.js'

const parts = environment({ clock: new VirtualClock(), random: seededRandom(7) })

/** Paths that do not contain each other. */
const paths = ['a', 'b', 'deep/x', 'deep/y', 'deep/er/z', '.hidden']
const content = (text: string): VolumeFile => ({ text, encoding: 'utf8', mode: 0o640 })
const payloadOf = (texts: Readonly<Record<string, string>>): Payload =>
  new Map(Object.entries(texts).map(([path, text]) => [path, content(text)]))
const anyTexts = fc.dictionary(fc.constantFrom(...paths), fc.string({ maxLength: 3 }), { noNullPrototype: true })

describe('the files of a volume', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'proa-files-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** What a program reads that resolves the first link once. */
  const seen = (): unknown => {
    const generation = join(folder, readlinkSync(join(folder, '..data')))
    const files = readdirSync(generation, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return Object.fromEntries(
      files
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => [path.slice(generation.length + 1), readFileSync(path, 'utf8')])
        .sort(),
    )
  }
  const sorted = (texts: object) => Object.fromEntries(Object.entries(texts).sort())
  const write = (texts: Readonly<Record<string, string>>) =>
    writeAtomically({ folder, payload: payloadOf(texts), environment: parts })

  /** Asserts that exactly these files are visible. */
  const assertWhole = (texts: Readonly<Record<string, string>>) => {
    assert.deepEqual(seen(), sorted(texts))
    for (const [path, text] of Object.entries(texts)) assert.equal(readFileSync(join(folder, path), 'utf8'), text)
    const names = new Set(Object.keys(texts).map((path) => path.split('/')[0]!))
    assert.deepEqual(
      readdirSync(folder).sort(),
      [readlinkSync(join(folder, '..data')), '..data', ...names].sort(),
      'nothing else is there',
    )
  }

  test("have upstream's layout", () => {
    write({ k: 'v', 'm/k': 'w' })
    const [generation, ...others] = readdirSync(folder).sort()
    assert.match(generation!, /^\.\.2026_01_01_00_00_00\.\d+$/)
    assert.deepEqual(others, ['..data', 'k', 'm'])
    assert.deepEqual(
      ['..data', 'k', 'm'].map((name) => readlinkSync(join(folder, name))),
      [generation, '..data/k', '..data/m'],
    )
    assert.equal(statSync(join(folder, 'k')).mode & 0o777, 0o640)
    assert.equal(lstatSync(join(folder, generation!)).mode & 0o777, 0o755)
  })

  test('are not written if they are up to date', () => {
    write({ k: 'v' })
    const before = readdirSync(folder)
    write({ k: 'v' })
    assert.deepEqual(readdirSync(folder), before)
  })

  test('are one generation or the next at every moment, never a mixture', () => {
    fc.assert(
      fc.property(fc.array(anyTexts, { minLength: 1, maxLength: 5 }), (generations) => {
        for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
        let old: object | undefined
        for (const texts of generations) {
          for (const _ of atomicSteps({ folder, payload: payloadOf(texts), environment: parts })) {
            if (old === undefined && !readdirSync(folder).includes('..data')) continue
            const now = JSON.stringify(seen())
            assert.ok(
              [old ?? texts, texts].some((whole) => JSON.stringify(sorted(whole)) === now),
              now,
            )
          }
          assertWhole(texts)
          old = texts
        }
      }),
      { numRuns: 60 },
    )
  })

  test('are complete after a crash at any step and the next write', () => {
    fc.assert(
      fc.property(anyTexts, anyTexts, anyTexts, fc.nat(20), (first, crashed, next, steps) => {
        for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
        write(first)
        const writing = atomicSteps({ folder, payload: payloadOf(crashed), environment: parts })
        for (let i = 0; i < steps && !writing.next().done; i++);
        write(next)
        assertWhole(next)
      }),
      { numRuns: 100 },
    )
  })

  test('keep a mount point of another volume', () => {
    mkdirSync(join(folder, 'other'))
    write({ k: 'v' })
    write({ l: 'w' })
    assert.ok(lstatSync(join(folder, 'other')).isDirectory())
    assert.deepEqual(
      readdirSync(folder).filter((name) => !name.startsWith('..')),
      ['l', 'other'],
    )
  })

  test('are prepared before they become visible', () => {
    let sawLink: boolean | undefined
    const prepare = () => {
      sawLink = readdirSync(folder).includes('..data')
    }
    writeAtomically({ folder, payload: payloadOf({ k: 'v' }), environment: parts, prepare })
    assert.equal(sawLink, false)
  })

  test('leave nothing behind if they cannot be written, however often', () => {
    const prepare = () => {
      throw new Error('not today')
    }
    const tryBoth = () => {
      assert.throws(() => write({ a: 'a file', 'a/b': 'in a folder of the same name' }))
      const more = { payload: payloadOf({ l: 'w' }), environment: parts, prepare }
      assert.throws(() => writeAtomically({ folder, ...more }), { message: 'not today' })
    }
    tryBoth()
    assert.deepEqual(readdirSync(folder), [])
    write({ k: 'v' })
    tryBoth()
    tryBoth()
    assertWhole({ k: 'v' })
  })

  for (const [path, complaint] of [
    ['/a', 'invalid path: must be relative path: /a'],
    ['a/../b', "invalid path: must not contain '..': a/../b"],
    ['..a', "invalid path: must not start with '..': ..a"],
    ['a'.repeat(256), 'invalid path: filenames must be less than or equal to 255 characters'],
    ['', 'invalid path: must not be empty: ""'],
  ] as const)
    test(`cannot be called ${path.slice(0, 10) || 'nothing'}`, () => {
      assert.throws(() => write({ [path]: 'v' }), { message: complaint })
      assert.deepEqual(readdirSync(folder), [])
    })
})
