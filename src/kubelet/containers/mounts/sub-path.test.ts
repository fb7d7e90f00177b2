import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { createWithin, openWithin } from './sub-path.js'

describe('a path that a container changes during its resolution', { skip: process.platform !== 'linux' }, () => {
  let volume = ''
  beforeEach(() => {
    volume = realpathSync(mkdtempSync(join(tmpdir(), 'proa-sub-path-')))
    mkdirSync(join(volume, 'real/deep'), { recursive: true })
    writeFileSync(join(volume, 'real/file'), '')
  })
  afterEach(() => rmSync(volume, { recursive: true }))

  const handles = () => readdirSync('/proc/self/fd').length

  test('is opened if it is a folder or a file', async () => {
    for (const path of ['', 'real', 'real/deep', 'real/file']) {
      const handle = await openWithin(volume, join(volume, path))
      assert.equal((await handle.stat()).isFile(), path === 'real/file')
      await handle.close()
    }
  })

  test('is rejected if any part is a link, and no handle stays open', async () => {
    symlinkSync('/etc', join(volume, 'real/out'))
    symlinkSync('deep', join(volume, 'real/in'))
    const before = handles()
    await assert.rejects(openWithin(volume, join(volume, 'real/out')), /is a link$/)
    await assert.rejects(openWithin(volume, join(volume, 'real/in')), /is a link$/)
    await assert.rejects(openWithin(volume, join(volume, 'real/out/ssl')), /is a link$/)
    await assert.rejects(openWithin(join(volume, 'real/in'), join(volume, 'real/in')), /is a link$/)
    assert.equal(handles(), before)
  })

  test('is rejected if a link replaces a folder to create', async () => {
    symlinkSync('/proa-not-there', join(volume, 'link'))
    await assert.rejects(createWithin(volume, 'link'), /is a link$/)
    await assert.rejects(createWithin(volume, 'link/more'), /is a link$/)
  })
})
