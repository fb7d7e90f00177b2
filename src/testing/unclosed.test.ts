import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const library = new URL('./index.js', import.meta.url).href
const podKind = new URL('../api/core/v1/pod.js', import.meta.url).href

interface Ended {
  readonly code: number | null
  readonly output: string
  /** What is left among the temporary files. */
  readonly left: readonly string[]
}

/** Runs a program that starts a cluster and never closes it. */
async function run(
  program: string,
  options: { readonly args?: readonly string[]; readonly stale?: string } = {},
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-unclosed-'))
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  if (options.stale) {
    mkdirSync(join(temporary, options.stale))
    utimesSync(join(temporary, options.stale), 1, 1)
  }
  const file = join(folder, 'unclosed.test.mjs')
  const imports = [
    `import { startCluster } from ${JSON.stringify(library)}`,
    `import { Pod } from ${JSON.stringify(podKind)}`,
    "import { test } from 'node:test'",
  ]
  writeFileSync(file, [...imports, program].join('\n'))
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env
  const child = spawn(process.execPath, [...(options.args ?? []), file], {
    env: { ...env, TMPDIR: temporary },
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const left = readdirSync(temporary).filter((name) => name.startsWith('proa-'))
  rmSync(folder, { recursive: true, force: true })
  return { code, output, left }
}

describe('a cluster that nobody closes', () => {
  test('lets a test run end, and leaves nothing', async () => {
    const program =
      "test('one', async () => { await (await startCluster()).apply('{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}') })"
    const { code, output, left } = await run(program, { args: ['--test'] })
    assert.equal(code, 0, output)
    assert.match(output, /# pass 1/)
    assert.deepEqual(left, [])
  })

  test('does not hide that a test has failed', async () => {
    const { code, left } = await run("test('one', async () => { await startCluster(); throw new Error('wrong') })", {
      args: ['--test'],
    })
    assert.equal(code, 1)
    assert.deepEqual(left, [])
  })

  test('leaves nothing after an uncaught error, nor after process.exit', async () => {
    const uncaught = await run("await startCluster({ nodes: 0 }); setTimeout(() => { throw new Error('uncaught') }, 1)")
    assert.equal(uncaught.code, 1)
    assert.match(uncaught.output, /Error: uncaught/)
    assert.deepEqual(uncaught.left, [])
    const exited = await run('await startCluster({ nodes: 0 }); process.exit(3)')
    assert.deepEqual([exited.code, exited.left], [3, []])
  })

  test('keeps the process alive while somebody waits for something in it', async () => {
    const spec = '{containers: [{name: a, image: a}]}'
    const program = `
      const cluster = await startCluster()
      await cluster.apply('{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: ${spec}}')
      await cluster.waitFor(Pod, 'a', ({ status }) => status?.phase === 'Running')
      for await (const { type } of cluster.client.resource(Pod).in('default').watch()) { console.log(type); break }
      await cluster.waitFor(Pod, 'b', undefined, { timeout: '500ms' }).catch((error) => console.log(error.message))`
    const { code, output } = await run(program)
    assert.match(output, /ADDED\nPod b was not as wanted within 500ms/)
    assert.equal(code, 0)
  })

  test('of a process that was killed: its folder goes when another one starts', async () => {
    const host = hostname().replaceAll(/[^A-Za-z0-9]/g, '')
    const stale = `proa-test-${host}-4194303-server-x` // a process that cannot be
    const { left } = await run('await (await startCluster({ nodes: 0 })).close()', { stale })
    assert.deepEqual(left, [])
  })
})
