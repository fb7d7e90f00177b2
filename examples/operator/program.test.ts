import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ConfigMap } from 'proa/api/core/v1/config-map'
import { startCluster } from 'proa/testing'

const run = promisify(execFile)
const root = process.cwd()
const status = 'example.com/website-status'

/** Builds the example as a project of somebody else, in which the package is installed. Resolves with the program. */
async function build(folder: string): Promise<string> {
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules', 'proa'))
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'))
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'esnext.disposable'],
    strict: true,
    outDir: 'dist',
    types: ['node'],
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'website-operator', type: 'module' }))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  for (const file of ['website.ts', 'main.ts', 'operator.test.ts'])
    copyFileSync(join('examples', 'operator', file), join(folder, file))
  await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]).catch(({ stdout }: { stdout: string }) =>
    assert.fail(stdout),
  )
  return join(folder, 'dist', 'main.js')
}

async function started(program: ChildProcess): Promise<void> {
  const [text] = (await once(program.stdout!, 'data')) as [Buffer]
  assert.match(String(text), /The operator is at work/)
}

test('the example, copied out of the repository, runs the operator over the network by a kubeconfig, with its rights', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'proa-operator-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const program = await build(folder)
  await using cluster = await startCluster({ clock: 'virtual' })
  await cluster.apply(readFileSync('examples/operator/operator.yaml', 'utf8'))
  const { kubeconfig } = cluster.as({ serviceAccount: 'website-operator' })
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: kubeconfig }
  const operator = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  context.after(() => operator.kill('SIGKILL'))
  await started(operator)
  const metadata = { name: 'shop', namespace: 'default', labels: { 'example.com/website': '' } }
  await cluster.client.resource(ConfigMap).create({ metadata, data: { replicas: '2' } })
  await cluster.waitFor(ConfigMap, 'shop', (site) => site.metadata.annotations?.[status] === '2 of 2 ready')
  operator.kill('SIGTERM')
  const [code] = await once(operator, 'exit')
  assert.equal(code, 0)
})
