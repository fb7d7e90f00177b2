import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { build } from 'esbuild'
import { startTestApiServer } from '../src/testing/servers/api-server.js'
import { installedProject, type Project } from './package.test.kit.js'

let project: Project
before(async () => {
  project = await installedProject()
})
after(() => project.remove())

/** What a program finds out that uses several entry points, with their exports as variables. */
const findings = `
async function findings() {
  const cluster = await startCluster({ nodes: 0 })
  try {
    const error = await cluster.client.resource(Pod).in('default').get('nobody').catch((error) => error)
    return {
      isApiError: error instanceof ApiError,
      hasReason: hasReason(error, 'NotFound'),
      isClient: cluster.client instanceof Client,
      isSameKind: Pod === core.Pod,
      controls: typeof controller,
    }
  } finally {
    await cluster.close()
  }
}`
const expected = { isApiError: true, hasReason: true, isClient: true, isSameKind: true, controls: 'function' }

const imports = {
  client: "import { ApiError, Client, hasReason } from 'proa/client'",
  kind: "import { Pod } from 'proa/api/core/v1/pod'",
  version: "import * as core from 'proa/api/core/v1'",
  controllers: "import { controller } from 'proa/controllers'",
  testing: "import { startCluster } from 'proa/testing'",
}
const asModule = Object.values(imports).join('\n')
const asCommonJs = asModule
  .replaceAll(/import \{(.*)\} from ('.*')/g, 'const {$1} = require($2)')
  .replaceAll(/import \* as (\w+) from ('.*')/g, 'const $1 = require($2)')

describe('the packed and installed package', () => {
  it('has one copy of each module for a program in ES modules, whatever it imports first', async () => {
    project.write('program.mjs', `${asModule}\n${findings}\nconsole.log(JSON.stringify(await findings()))`)
    const reversed = Object.values(imports).reverse().join('\n')
    project.write('reversed.mjs', `${reversed}\n${findings}\nconsole.log(JSON.stringify(await findings()))`)
    for (const program of ['program.mjs', 'reversed.mjs'])
      assert.deepEqual(JSON.parse(await project.node(program)), expected)
  })

  it('has one copy of each module for a program in CommonJS, and the same copy for what that imports', async () => {
    const program = `${asCommonJs}\n${findings}
      const same = import('proa/client').then((client) => client.ApiError === ApiError)
      findings().then(async (found) => console.log(JSON.stringify({ ...found, same: await same })))`
    project.write('program.cjs', program)
    assert.deepEqual(JSON.parse(await project.node('program.cjs')), { ...expected, same: true })
  })

  it("has one copy of each module in tests of Node's own runner", async () => {
    const test = "test('one copy', async () => assert.deepEqual(await findings(), expected))"
    const given = `const expected = ${JSON.stringify(expected)}`
    const inModule = "import { test } from 'node:test'\nimport assert from 'node:assert/strict'"
    const inCommonJs = "const { test } = require('node:test')\nconst assert = require('node:assert/strict')"
    project.write('test/one.test.mjs', [inModule, asModule, given, findings, test].join('\n'))
    project.write('test/one.test.cjs', [inCommonJs, asCommonJs, given, findings, test].join('\n'))
    assert.match(await project.node('--test', 'test/one.test.mjs', 'test/one.test.cjs'), /^# pass 2$/m)
  })

  for (const pool of ['forks', 'vmThreads'])
    it(`has one copy of each module in tests of vitest (${pool})`, async () => {
      const test = `test('one copy', async () => expect(await findings()).toStrictEqual(${JSON.stringify(expected)}))`
      project.write('one.spec.mjs', ["import { expect, test } from 'vitest'", asModule, findings, test].join('\n'))
      const args = ['node_modules/vitest/vitest.mjs', 'run', '--pool', pool, 'one.spec.mjs']
      assert.match(await project.node(...args), /Tests {2}1 passed/)
    })

  it('has one copy of each module after somebody has bundled a program with it', async () => {
    await using server = await startTestApiServer()
    const found = '[error instanceof ApiError, hasReason(error, "NotFound"), Pod === core.Pod, typeof controller]'
    const program = `clientByKubeconfig({ kubeconfig: ${JSON.stringify(server.kubeconfig)} }).then(async (client) => {
      const error = await client.resource(Pod).in('default').get('nobody').catch((error) => error)
      client.close()
      console.log(JSON.stringify(${found}))
    })`
    project.write('bundled.cjs', `${asCommonJs.replace('Client,', 'clientByKubeconfig,')}\n${program}`)
    await build({
      entryPoints: [join(project.folder, 'bundled.cjs')],
      outfile: join(project.folder, 'bundle', 'out.cjs'),
      bundle: true,
      platform: 'node',
      external: ['proa/testing'],
      logLevel: 'error',
    })
    assert.deepEqual(JSON.parse(await project.node('bundle/out.cjs')), [true, true, true, 'function'])
  })

  it('keeps compiled code for the next process before a test runner may kill this one', async () => {
    const program = `
      import { existsSync, readdirSync, rmSync } from 'node:fs'
      import { setTimeout } from 'node:timers/promises'
      const folder = 'node_modules/proa/dist/compiled'
      rmSync(folder, { recursive: true, force: true })
      const { startCluster } = await import('proa/testing')
      const cluster = await startCluster()
      const isKept = () => existsSync(folder) && readdirSync(folder).some((name) => /^testing\\.cjs.*library$/.test(name))
      while (!isKept()) await setTimeout(20)
      console.log('kept')
      await cluster.close()`
    project.write('start.mjs', program)
    assert.equal(await project.node('start.mjs'), 'kept\n')
  })

  it('has no entry points but those that it names', async () => {
    project.write('inside.mjs', "import 'proa/dist/bundle/library/client.cjs'")
    await assert.rejects(project.node('inside.mjs'), /ERR_PACKAGE_PATH_NOT_EXPORTED/)
    project.write('rules.mjs', "import 'proa/api/core/v1/pod-rules'")
    await assert.rejects(project.node('rules.mjs'), /ERR_MODULE_NOT_FOUND/)
  })

  it('runs as a command, without sources to build', async () => {
    project.write(
      'command.cjs',
      "require('node:child_process').spawnSync('node_modules/proa/proa', ['version', '--client'], { stdio: 'inherit' })",
    )
    assert.match(await project.node('command.cjs'), /^Client Version: v1\.36/)
  })

  it('is small, and has neither sources nor source maps nor tests', () => {
    const { size, files } = project.packed
    assert.ok(size < 5e6, `${size} bytes`)
    assert.ok(files.length < 800, `${files.length} files`)
    assert.deepEqual(
      files.filter(({ path }) => /\.map$|\.test\.|(?<!\.d)\.ts$|\/checkout\.cjs$/.test(path)),
      [],
    )
  })
})

/** It is compiled, and talks to a server. */
const typed = `
import { clientByKubeconfig, discoverBy, hasReason, ResourceMapper } from 'proa/client'
import { ConfigMap } from 'proa/api/core/v1/config-map'
import { Deployment, type DeploymentSpec } from 'proa/api/apps/v1'
import { controller } from 'proa/controllers'
import type { Cluster, StartClusterOptions } from 'proa/testing'

const options: StartClusterOptions = { nodes: 0 }
const replicasOf = (spec: DeploymentSpec): number | undefined => spec.replicas
const readDeployment = (cluster: Cluster) => cluster.waitFor(Deployment, 'web', ({ spec }) => replicasOf(spec) === options.nodes)

async function main() {
  const client = await clientByKubeconfig()
  const configMaps = client.resource(ConfigMap).in('default')
  await configMaps.create({ metadata: { name: process.argv[2] }, data: { a: '1' } })
  const made = await configMaps.get(process.argv[2]!)
  const a: string | undefined = made.data?.a
  // @ts-expect-error: a ConfigMap has no such field
  made.spec
  const place = await new ResourceMapper(discoverBy(client)).resource('cm')
  const { items } = await client.resource(place).in('default').list()
  const found: boolean = items.some(({ metadata }) => metadata.name === process.argv[2])
  const missing: boolean = await configMaps.get('nope').then(() => false, (error: unknown) => hasReason(error, 'NotFound'))
  client.close()
  console.log(JSON.stringify({ a, found, missing, types: [typeof controller, typeof readDeployment] }))
}
void main()
`

describe('a TypeScript program that uses the package', () => {
  const results = { a: '1', found: true, missing: true, types: ['function', 'function'] }
  const projects = {
    'as ES modules': { type: 'module', options: { module: 'nodenext' } },
    'as CommonJS': { type: 'commonjs', options: { module: 'nodenext' } },
    'for a bundler': { type: 'module', options: { module: 'esnext', moduleResolution: 'bundler' } },
  } as const

  for (const [how, { type, options }] of Object.entries(projects))
    it(`compiles ${how}, and runs`, async () => {
      await using server = await startTestApiServer()
      const folder = how.replaceAll(' ', '-').toLowerCase()
      const compilerOptions = { ...options, target: 'es2022', strict: true, outDir: 'dist', types: ['node'] }
      project.write(`${folder}/package.json`, JSON.stringify({ type }))
      project.write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['program.ts'] }))
      project.write(`${folder}/program.ts`, typed)
      await project.compile(`${folder}/tsconfig.json`)
      const run = `process.env.KUBECONFIG = ${JSON.stringify(server.kubeconfig)}; process.argv[2] = 'from-outside'; import('./${folder}/dist/program.js')`
      assert.deepEqual(JSON.parse(await project.node('--eval', run)), results)
    })
})
