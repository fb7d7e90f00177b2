import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

/** Its one alias for whatever a server answered says so itself, and why. Nobody but test suites sees it. */
const exception = 'testing/cluster-golden/scenario.d.ts'

it('no exported signature says any', () => {
  const root = 'dist/src'
  const offenders = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts') && !file.endsWith('.test.d.ts'))
    .filter((file) => file !== exception)
    .filter((file) => /\bany\b/.test(codeOf(readFileSync(join(root, file), 'utf8'))))
  assert.deepEqual(offenders, [])
})

/** Without comments and quoted text. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'[^']*'|"[^"]*"/gm, '')
}
