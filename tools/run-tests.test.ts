import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'proa-run-tests-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs one file of tests, and gives the exit code and what was printed. */
function runFile(source: string): { status: number | null; output: string } {
  const file = join(folder, `case-${Math.floor(performance.now() * 1000)}.test.js`)
  writeFileSync(file, `const { describe, it, before, after } = require('node:test')\n${source}`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // which would make Node ignore a run within a run
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/tools/run-tests.js', file], { env })
  return { status, output: `${stdout}${stderr}` }
}

describe('the test run fails', () => {
  const failures: Readonly<Record<string, string>> = {
    'when a test throws': `it('x', () => { throw new Error('no') })`,
    'when a file throws while it is loaded': `throw new Error('no')`,
    'when a suite throws while it is described': `describe('s', () => { throw new Error('no') })`,
    'when a hook throws': `describe('s', () => { before(() => { throw new Error('no') }); it('x', () => {}) })`,
    'when the process leaves in the middle': `it('x', () => process.exit(0))`,
    'when a test never ends': `it('x', () => new Promise(() => {}))`,
    'when something throws after the test': `it('x', () => { setTimeout(() => { throw new Error('no') }, 10) })`,
    'when a file has no tests': `0`,
  }
  for (const [when, source] of Object.entries(failures)) {
    it(when, () => {
      const { status, output } = runFile(source)
      assert.equal(status, 1, output)
    })
  }
})

it('the test run passes, and lists what was skipped with its reason', () => {
  const { status, output } = runFile(
    `it('x', () => {}); describe('s', () => it('z', () => {})); it('y', { skip: 'no moon' }, () => {})`,
  )
  assert.equal(status, 0, output)
  assert.match(output, /2 passed, 0 failed, 1 skipped/)
  assert.match(output, /y: no moon/)
})
