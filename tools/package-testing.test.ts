/** Tests `proa/testing` as somebody meets it who has installed the package: with Node's test runner and with vitest. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { installedProject, type Project } from './package.test.kit.js'

let project: Project
before(async () => {
  project = await installedProject(['@kubernetes/client-node', 'typescript'])
})
after(() => project.remove())

const given = `
const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }
const copier = controller('copier').for(ConfigMap).reconcile(async (key, { client, informers }) => {
  if (key !== 'default/settings' || !informers.of(ConfigMap).get(key)) return
  const metadata = { name: 'copy', namespace: 'default' }
  await client.resource(ConfigMap).apply({ metadata }, { fieldManager: 'copier', force: true })
})

async function inCluster(options, work) {
  const cluster = await startCluster(options)
  try {
    return await work(cluster)
  } finally {
    await cluster.close()
  }
}
const failureOf = (promise) => promise.then(() => 'no error', (error) => error)
const messageOf = async (promise) => (await failureOf(promise)).message.split(':')[0]

/** Each returns what it finds; \`expected\` says what that must be. */
const cases = {
  errors: () => inCluster({ nodes: 0 }, async ({ client }) => {
    const error = await failureOf(client.resource(Pod).in('default').get('nobody'))
    return [error instanceof ApiError, hasReason(error, 'NotFound')]
  }),
  operator: () => inCluster({ clock: 'virtual', nodes: 0 }, async (cluster) => {
    const operator = await startOperator([copier], { cluster })
    await cluster.apply(settings)
    await cluster.waitFor(ConfigMap, 'copy')
    await operator.close()
    return true
  }),
  foreignOperator: () => inCluster({ clock: 'virtual', nodes: 0 }, async (cluster) => {
    const config = new KubeConfig()
    config.loadFromFile(cluster.kubeconfig)
    const core = config.makeApiClient(CoreV1Api)
    const list = () => core.listNamespacedConfigMap({ namespace: 'default' })
    const informer = makeInformer(config, '/api/v1/namespaces/default/configmaps', list)
    informer.on('add', ({ metadata }) => {
      if (metadata.name === 'settings')
        core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'copy' } } })
    })
    await informer.start()
    await cluster.apply(settings)
    await cluster.waitFor(ConfigMap, 'copy')
    await informer.stop()
    return true
  }),
  rights: () => inCluster({ nodes: 0 }, async (cluster) => {
    const jane = cluster.as({ user: 'jane', groups: ['team'] })
    return hasReason(await failureOf(jane.client.resource(Pod).in('default').list()), 'Forbidden')
  }),
  idleHours: () => inCluster({ clock: 'virtual' }, async (cluster) => {
    await cluster.advance('1h')
    const { conditions } = (await cluster.client.resource(Node).get('node-0')).status
    return conditions.find(({ type }) => type === 'Ready').status
  }),
  misuse: () => inCluster({ clock: 'virtual', nodes: 0 }, async (cluster) => [
    await messageOf(startCluster({ clock: 'virtal' })),
    await messageOf(startCluster({ nodes: -1 })),
    await messageOf(cluster.waitFor('Pod', 'web')),
    await messageOf(cluster.client.resource(Pod).create({ metadata: { name: 'web' } })),
  ]),
}
const expected = {
  errors: [true, true],
  operator: true,
  foreignOperator: true,
  rights: true,
  idleHours: 'True',
  misuse: [
    "clock is 'virtal'",
    'nodes is -1',
    "the kind is 'Pod'",
    'Pod objects are in namespaces, and none is given',
  ],
}`

const imports = [
  "import { Pod, ConfigMap, Node } from 'proa/api/core/v1'",
  "import { ApiError, hasReason } from 'proa/client'",
  "import { controller, startOperator } from 'proa/controllers'",
  "import { startCluster } from 'proa/testing'",
]
const foreign = "import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node'"
const required = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/import \{(.*)\} from ('.*')/, 'const {$1} = require($2)'))

/** Another library exists only as ES modules: CommonJS imports it when it needs it. */
const inCommonJs = given.replace(
  '    const config = new KubeConfig()',
  "    const { CoreV1Api, KubeConfig, makeInformer } = await import('@kubernetes/client-node')\n    const config = new KubeConfig()",
)

describe('proa/testing, installed', () => {
  it("does what it promises in tests of Node's runner, as ES modules and as CommonJS, and lets the runner end", async () => {
    const tests =
      'for (const name in cases) test(name, async () => assert.deepEqual(await cases[name](), expected[name]))'
    const node = ["import { test } from 'node:test'", "import assert from 'node:assert/strict'"]
    const unclosed = "test('unclosed', async () => { await startCluster() })"
    project.write('one.test.mjs', [...node, ...imports, foreign, given, tests, unclosed].join('\n'))
    const common = node.map((line) => line.replace(/import (.*) from ('.*')/, 'const $1 = require($2)'))
    project.write('one.test.cjs', [...common, ...required(imports), inCommonJs, tests, unclosed].join('\n'))
    const folder = join(project.folder, 'tmp')
    mkdirSync(folder)
    const output = await project.nodeWith({ TMPDIR: folder }, '--test', 'one.test.mjs', 'one.test.cjs')
    assert.match(output, /^# pass 14$/m)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('proa-')),
      [],
    )
  })

  it('does what it promises in tests of vitest', async () => {
    const tests = [
      'for (const name in cases) test(name, async () => expect(await cases[name]()).toStrictEqual(expected[name]), 60_000)',
      "test('unclosed', async () => { await startCluster() })",
    ]
    const vitest = "import { expect, test } from 'vitest'"
    project.write('one.spec.mjs', [vitest, ...imports, foreign, given, ...tests].join('\n'))
    const output = await project.node('node_modules/vitest/vitest.mjs', 'run', 'one.spec.mjs')
    assert.match(output, /Tests {2}7 passed/)
  })

  it('runs the examples as they stand, copied out of the repository', async () => {
    for (const example of ['initializers', 'operator', 'scheduler', 'testing']) copyExample(example)
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'esnext.disposable'],
      types: ['node'],
      strict: true,
      rootDir: '.',
      outDir: 'dist',
    }
    project.write('package.json', JSON.stringify({ type: 'module' }))
    project.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions, include: ['examples/**/*.test.ts', 'examples/**/main.ts'] }),
    )
    await project.compile('tsconfig.json')
    const files = readdirSync(join(project.folder, 'dist'), { recursive: true })
    const tests = (files as string[]).filter((name) => name.endsWith('.test.js')).map((name) => join('dist', name))
    assert.equal(tests.length, 4)
    assert.match(await project.node('--test', ...tests), /^# fail 0$/m)
    assert.match(
      await project.node('node_modules/vitest/vitest.mjs', 'run', 'examples/testing/with-vitest.spec.ts'),
      /Tests {2}2 passed/,
    )
  })
})

/** These test the examples as they are in the repository. */
const ofRepository = ['program.test.ts', 'vitest.test.ts']

function copyExample(name: string): void {
  const folder = join('examples', name)
  for (const file of readdirSync(folder))
    if (!ofRepository.includes(file)) project.write(join(folder, file), readFileSync(join(folder, file), 'utf8'))
}
