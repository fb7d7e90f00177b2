import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startTestApiServer } from '../testing/api-server.js'
import { scratchFolder } from './connect.test.kit.js'

const run = promisify(execFile)
const root = process.cwd()

const program = `
import { clientByKubeconfig, discoverBy, hasReason, ResourceMapper } from 'proa/client'
import { ConfigMap } from 'proa/api/core/v1/config-map'

const client = await clientByKubeconfig()
const configMaps = client.resource(ConfigMap).in('default')
await configMaps.create({ metadata: { name: 'from-outside' }, data: { a: '1' } })
const made = await configMaps.get('from-outside')
const a: string | undefined = made.data?.a
// @ts-expect-error: a ConfigMap has no such field
made.spec
const place = await new ResourceMapper(discoverBy(client)).resource('cm')
const { items } = await client.resource(place).in('default').list()
const missing: boolean = await configMaps.get('nope').then(() => false, (error: unknown) => hasReason(error, 'NotFound'))
client.close()
console.log(JSON.stringify({ a, names: items.map(({ metadata }) => metadata.name), missing }))
`

/** A project of somebody else, in which the package is installed. */
function project(folder: string): void {
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules', 'proa'))
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'))
  const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, outDir: 'dist', types: ['node'] }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'somebody-else', type: 'module' }))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['program.ts'] }))
  writeFileSync(join(folder, 'program.ts'), program)
}

test("somebody else's program uses the package by its name, with its types, and talks to a server", async (context) => {
  await using server = await startTestApiServer()
  const folder = scratchFolder(context)
  project(folder)
  await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]).catch(({ stdout }: { stdout: string }) =>
    assert.fail(stdout),
  )
  const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: server.kubeconfig }
  const { stdout } = await run(process.execPath, [join(folder, 'dist', 'program.js')], { env })
  assert.deepEqual(JSON.parse(stdout), { a: '1', names: ['from-outside'], missing: true })
})

test('what is no part of the public interface cannot be imported', async (context) => {
  const folder = scratchFolder(context)
  project(folder)
  writeFileSync(join(folder, 'inside.mjs'), "import 'proa/dist/src/client/https.js'")
  await assert.rejects(run(process.execPath, [join(folder, 'inside.mjs')]), /ERR_PACKAGE_PATH_NOT_EXPORTED/)
})
