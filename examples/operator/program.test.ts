import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as realTime } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ConfigMap } from '../../src/api/core/v1/config-map.js'
import type { Client } from '../../src/client/client.js'
import type { Entrance } from '../../src/testing/api-server.js'
import { startTestCluster } from '../../src/testing/cluster.js'
import { playPods } from '../../src/testing/played-pods.js'
import { applyRights, namespace, status, user, website } from './operator.test.kit.js'

const run = promisify(execFile)
const root = process.cwd()

/** The example as somebody else's project, in which the package is installed. Gives the program. */
async function build(folder: string): Promise<string> {
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules', 'proa'))
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'))
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, outDir: 'dist', types: ['node'] }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'website-operator', type: 'module' }))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  for (const file of ['website.ts', 'main.ts']) copyFileSync(join('examples', 'operator', file), join(folder, file))
  await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]).catch(({ stdout }: { stdout: string }) =>
    assert.fail(stdout),
  )
  return join(folder, 'dist', 'main.js')
}

/** A kubeconfig of the operator, and of nobody else. */
function writeKubeconfig(folder: string, { url, authority }: Entrance): string {
  const path = join(folder, 'kubeconfig')
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(authority).toString('base64') }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    clusters: [{ name: 'here', cluster }],
    users: [{ name: 'operator', user: { token: 'operator' } }],
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'operator' } }],
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

async function statusBecomes(client: Client, wanted: string): Promise<void> {
  for (let attempts = 200; ; attempts--) {
    const { annotations } = (await client.resource(ConfigMap).in(namespace).get('shop')).metadata
    if (annotations?.[status] === wanted) return
    if (attempts === 0) assert.fail(`the status is ${annotations?.[status]}, and not ${wanted}`)
    await realTime(100)
  }
}

async function started(program: ChildProcess): Promise<void> {
  const [text] = (await once(program.stdout!, 'data')) as [Buffer]
  assert.match(String(text), /The operator is at work/)
}

test('somebody else’s program with the package runs the operator over the network, by a kubeconfig, with its rights', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'proa-operator-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const program = await build(folder)
  await using cluster = await startTestCluster({ tokens: [`operator,${user.name},`] })
  const { client } = cluster
  await applyRights(client)
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: writeKubeconfig(folder, cluster) }
  const operator = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  context.after(() => operator.kill('SIGKILL'))
  await started(operator)
  await client.resource(ConfigMap).create(website({ replicas: '2' }))
  await statusBecomes(client, '0 of 2 ready')
  while ((await playPods(cluster, () => true, { phase: 'Running' })) < 2) await realTime(100)
  await statusBecomes(client, '2 of 2 ready')
  operator.kill('SIGTERM')
  const [code] = await once(operator, 'exit')
  assert.equal(code, 0)
})
