import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { replaceFile } from './output.js'

/** Writes dist/build.json for `/version` and `kubectl version`: version, commit and time of the build. */
export async function writeBuildInfo(root: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const [commit = 'unknown', changes] = await Promise.all([
    git(root, 'rev-parse', 'HEAD'),
    git(root, 'status', '--porcelain'),
  ])
  const treeState = changes === undefined ? 'unknown' : changes === '' ? 'clean' : 'dirty'
  const date = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  replaceFile(join(root, 'dist/build.json'), `${JSON.stringify({ version, commit, treeState, date })}\n`)
}

/** Resolves with undefined if the sources are not a clone, or if git is not installed. */
function git(root: string, ...args: readonly string[]): Promise<string | undefined> {
  return promisify(execFile)('git', args, { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
}
