import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

it('no exported signature says any', () => {
  const root = 'dist/src'
  const offenders = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts') && !file.endsWith('.test.d.ts'))
    .filter((file) => /\bany\b/.test(codeOf(readFileSync(join(root, file), 'utf8'))))
  assert.deepEqual(offenders, [])
})

/** Without comments and quoted text. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'[^']*'|"[^"]*"/gm, '')
}
