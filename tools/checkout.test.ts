import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { commandNames, serverCommands } from '../src/bin/command-list.js'

const run = promisify(execFile)
let folder: string

/** A checkout of its own: its sources, without tests and recordings. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'proa-checkout-'))
  const isSource = (path: string) =>
    statSync(path).isDirectory() || (/\.(ts|sh)$/.test(path) && !path.includes('.test.'))
  for (const part of ['src', 'tools']) cpSync(part, join(folder, part), { recursive: true, filter: isSource })
  for (const part of ['proa', 'package.json', 'package-lock.json', 'tsconfig.json']) cpSync(part, join(folder, part))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
})
after(() => rmSync(folder, { recursive: true }))

interface Ran {
  readonly stdout: string
  readonly stderr: string
}

function proa(...args: readonly string[]): Promise<Ran> {
  return proaWith({}, ...args)
}

function proaWith(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ran> {
  const { NODE_V8_COVERAGE: _, ...usual } = process.env
  return run(join(folder, 'proa'), args, { env: { ...usual, HOME: folder, KUBECONFIG: '/dev/null', ...env } })
}

/** Which of the edits below ran. */
function edits({ stderr }: Ran): string[] {
  return [...stderr.matchAll(/^edit: (.*)$/gm)].map(([, name]) => name!)
}

/** Makes a source say that it runs, by an edit in place. */
function edit(path: string, name: string): void {
  appendFileSync(join(folder, path), `\nprocess.stderr.write('edit: ${name}\\n')\n`)
}

/** The same number of bytes, and a time stamp from before the build, as when an archive is unpacked. */
function exchange(path: string, from: string, to: string): void {
  const file = join(folder, path)
  writeFileSync(file, readFileSync(file, 'utf8').replace(`edit: ${from}`, `edit: ${to}`))
  utimesSync(file, new Date(2020, 0), new Date(2020, 0))
}

const wasBuilt = ({ stderr }: Ran) => stderr.includes('proa: building')

describe('./proa in a checkout', () => {
  it('builds itself the first time, and not again as long as nothing changes', async () => {
    assert.equal(wasBuilt(await proa('--help')), true)
    assert.deepEqual(await proa('--help'), { stdout: (await proa('help')).stdout, stderr: '' })
  })

  const sources = {
    commands: { file: 'src/bin/commands.ts', line: ['--help'] },
    kubectl: { file: 'src/bin/kubectl/kubectl.ts', line: ['version', '--client'] },
    'kubectl get': { file: 'src/bin/kubectl/kubectl-get.ts', line: ['get', '--help'] },
  }
  for (const [name, { file, line }] of Object.entries(sources))
    it(`runs an edit of ${name} at once`, async () => {
      await proa(...line)
      edit(file, 'first')
      assert.deepEqual(edits(await proa(...line)), ['first'])
      edit(file, 'later')
      assert.deepEqual(edits(await proa(...line)), ['first', 'later'])
      exchange(file, 'later', 'other')
      assert.deepEqual(edits(await proa(...line)), ['first', 'other'])
    })

  it('keeps the compiled code of each command, and only that of the last build', async () => {
    for (const { line } of Object.values(sources)) await proa(...line)
    const kept = readdirSync(join(folder, 'dist/compiled')).map((name) => name.replace(/\.[0-9a-f]{16}\..*\./, ' '))
    assert.deepEqual(kept.sort(), ['commands.script other', 'kubectl-get.script get', 'kubectl.script version'])
  })

  it('runs an edit of its own launcher at once, with every command', async () => {
    edit('src/bin/script-choice.ts', 'launcher')
    for (const { line } of Object.values(sources)) assert.ok(edits(await proa(...line)).includes('launcher'))
  })

  it('starts Node with more threads for the commands that are servers', async () => {
    await proa('--help')
    const bin = join(folder, 'fake-bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
    const hasThreads = async (command: string) =>
      (await proaWith({ PATH: `${bin}:${process.env.PATH}` }, command)).stdout.includes('--v8-pool-size=4')
    for (const command of [...commandNames, 'get', 'kubectl', ''])
      assert.equal(await hasThreads(command), (serverCommands as readonly string[]).includes(command), command)
  })

  it('does not build for a source that the command does not contain', async () => {
    const { line } = sources['kubectl get']
    await proa(...line)
    edit('src/apiserver/pipeline.ts', 'server')
    assert.equal(wasBuilt(await proa(...line)), false)
  })

  it('sees a new kind', async () => {
    await proa('--help')
    writeFileSync(join(folder, 'src/api/apps/v1/new-kind.ts'), 'export {}\n')
    assert.equal(wasBuilt(await proa('--help')), true)
    assert.match(readFileSync(join(folder, 'src/api/declarations.ts'), 'utf8'), /'\.\/apps\/v1\/new-kind\.js'/)
  })

  it('runs the edit in each of several commands that start at the same time', async () => {
    const { file, line } = sources['kubectl get']
    edit(file, 'together')
    const ran = await Promise.all([proa(...line), proa(...line), proa(...line)])
    assert.ok(ran.every((each) => edits(each).includes('together')))
  })

  it('runs nothing old when the sources cannot be built', async () => {
    const { file, line } = sources['kubectl get']
    const { stdout } = await proa(...line)
    appendFileSync(join(folder, file), 'this is no TypeScript')
    await assert.rejects(proa(...line), (error: Ran & { readonly code: number }) => {
      assert.deepEqual([error.code, error.stdout.includes(stdout)], [1, false])
      return true
    })
  })
})
