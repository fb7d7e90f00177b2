import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../schema/declaration.js'
import type { KubectlRun } from '../../testing/kubectl/kubectl.js'
import type { KubectlComparison, RunOptions } from '../comparison.test.kit.js'

/** Saves the file that it gets, then runs the next line of a script on it. */
const script = `#!/bin/sh
seen="$EDITED/$PPID"
mkdir -p "$seen"
count=$(($(ls "$seen" | wc -l) + 1))
cp -p "$1" "$seen/$count"
echo "$1" >> "$EDITED/paths"
step=$(sed -n "$count p" "$EDITED/steps")
eval "$step"
`

/** The result of a line and the files that were edited. */
export interface EditRun extends KubectlRun {
  /** The content of the file each time that our editor was opened. */
  readonly seen: readonly string[]
  /** Temporary files that remain, of both. */
  readonly left: readonly string[]
}

let runs = 0

/**
 * Runs a line in both with an editor that runs `steps`, shell lines in which "$1" is the file. Asserts equal output and equal file
 * contents.
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

/** Upstream's kubectl is another process, ours runs in this one. */
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

/** Asserts that both have the same objects and managers on the server. Returns ours as YAML. */
export async function sameNow(both: KubectlComparison, ...what: readonly string[]): Promise<string> {
  const managed = ['get', ...what, '-o', 'json', '--show-managed-fields']
  const [real, ours] = [await both.real(managed), await both.ours(managed)].map(({ stdout }) =>
    both.calmText(withManagersInOrder(stdout)),
  )
  assert.equal(ours, real)
  const { stdout } = await both.same(['get', ...what, '-o', 'yaml'])
  return stdout
}

/** Sorts managers by name. The server sorts them by time, in seconds. */
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

/** A step that runs sed on the file. */
export const sed = (...programs: readonly string[]) => `sed -i ${programs.map((each) => `-e '${each}'`).join(' ')} "$1"`
