import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../schema/declaration.js'
import type { KubectlRun } from '../../testing/kubectl/kubectl.js'
import type { KubectlComparison, RunOptions } from '../comparison.test.kit.js'

/** Keeps what it is given to edit, and then does what the lines of a file say, one line for each time that it is opened. */
const script = `#!/bin/sh
seen="$EDITED/$PPID"
mkdir -p "$seen"
count=$(($(ls "$seen" | wc -l) + 1))
cp -p "$1" "$seen/$count"
echo "$1" >> "$EDITED/paths"
step=$(sed -n "$count p" "$EDITED/steps")
eval "$step"
`

/** What became of one line that both were given, and of the files that they had edited. */
export interface EditRun extends KubectlRun {
  /** What our editor was given, each time that it was opened. */
  readonly seen: readonly string[]
  /** Files that are left, of both. */
  readonly left: readonly string[]
}

let runs = 0

/**
 * Types a line to both, with an editor that does `steps`, each a line of shell in which "$1" is the file. What is printed and what the
 * editor is given to see must be the same.
 */
export async function editBoth(
  both: KubectlComparison,
  args: readonly string[],
  steps: readonly string[],
  { variables = {}, ...options }: RunOptions = {},
): Promise<EditRun> {
  const folder = join(both.home, `edited-${runs++}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'steps'), `${steps.join('\n')}\n`)
  const editor = both.file('editor.sh', script)
  chmodSync(editor, 0o755)
  const editing = { KUBE_EDITOR: editor, EDITED: folder, TMPDIR: both.home, ...variables }
  const run = await both.same(args, { ...options, variables: editing, calm: withoutPaths })
  const left = pathsIn(folder).filter(existsSync)
  for (const path of left) {
    assert.equal(statSync(path).mode & 0o777, 0o600, 'for its owner only')
    rmSync(path)
  }
  return { ...run, left, seen: sameSeen(both, folder) }
}

function withoutPaths(text: string): string {
  return text.replace(/\/\S*kubectl-edit-\d+/g, 'FILE')
}

function pathsIn(folder: string): readonly string[] {
  const path = join(folder, 'paths')
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
}

/** The original is a process of its own, and ours is this one. */
function sameSeen(both: KubectlComparison, folder: string): readonly string[] {
  const processes = readdirSync(folder).filter((name) => /^\d+$/.test(name))
  const [real = [], ours = []] = [false, true].map((isOurs) =>
    processes.filter((name) => (name === String(process.pid)) === isOurs).map((name) => filesIn(join(folder, name))),
  )
  assert.deepEqual(
    ours.flat().map((text) => both.calmText(text)),
    real.flat().map((text) => both.calmText(text)),
  )
  return ours.flat()
}

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder).sort((left, right) => Number(left) - Number(right))
  return names.map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** What both have on the server now is the same, and so is who has changed it. Gives ours as YAML. */
export async function sameNow(both: KubectlComparison, ...what: readonly string[]): Promise<string> {
  const managed = ['get', ...what, '-o', 'json', '--show-managed-fields']
  const [real, ours] = [await both.real(managed), await both.ours(managed)].map(({ stdout }) =>
    both.calmText(withManagersInOrder(stdout)),
  )
  assert.equal(ours, real)
  const { stdout } = await both.same(['get', ...what, '-o', 'yaml'])
  return stdout
}

/** In order of their names: the server has them in that of the seconds in which they came. */
function withManagersInOrder(text: string): string {
  const ordered: unknown = JSON.parse(text, (key, value: unknown) => {
    if (key !== 'managedFields') return value
    return (value as readonly JsonObject[]).map((entry) => JSON.stringify(entry)).sort()
  })
  return JSON.stringify(ordered, undefined, 2)
}

export const configMap = (name: string, data: Readonly<Record<string, string>> = { color: 'green' }): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})

/** A step that changes the file by programs of sed. */
export const sed = (...programs: readonly string[]) => `sed -i ${programs.map((each) => `-e '${each}'`).join(' ')} "$1"`
