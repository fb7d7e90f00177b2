import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type KillReport, killWriterRepeatedly } from './kills.js'

describe('an embedded store whose process is killed', () => {
  test('keeps what was acknowledged, whole transactions only, and its history (npm run crash does this a hundred times)', async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'proa-crash-'))
    context.after(() => rmSync(directory, { recursive: true, force: true }))
    const reports: KillReport[] = []
    const seed = Math.floor(Math.random() * 1e6)
    context.diagnostic(`seed ${seed}`)
    await killWriterRepeatedly({ directory, kills: 5, seed, report: (report) => reports.push(report) })
    assert.equal(reports.length, 5)
    assert.ok(reports.every(({ acknowledged }) => acknowledged > 0))
  })
})
