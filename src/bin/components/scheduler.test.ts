import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { Client } from '../../client/client.js'
import { ApiServerProcess } from '../../testing/processes/api-server-process.js'
import { httpsClient } from '../../testing/servers/clients.js'
import { schedulerCommand } from './scheduler.js'

// This file is also the command, as the main program would call it.
if (process.argv[2] === 'scheduler') process.exitCode = await schedulerCommand(process.argv.slice(3))
else describe('proa scheduler', registerTests)

interface Running {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
}

function start(context: TestContext, ...args: string[]): Running {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'scheduler', '--secure-port=0', ...args])
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => {
    output.stdout += data
  })
  child.stderr.on('data', (data) => {
    output.stderr += data
  })
  context.after(() => void child.kill('SIGKILL'))
  return { child, output }
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const working = ({ output }: Running) => output.stdout.includes('The scheduler is running.')

async function makeNode(client: Client, name = 'na', labels: Readonly<Record<string, string>> = {}): Promise<void> {
  const amounts = { cpu: '4', memory: '8Gi', pods: '10' }
  const nodes = client.resource(Node)
  await nodes.create({ metadata: { name, labels }, status: { allocatable: amounts, capacity: amounts } as never })
  await nodes.patch(name, 'merge', { spec: { taints: null } })
}

/** Takes the last of the nodes that it is asked about. */
async function startExtender(context: TestContext): Promise<{ url: string; asked: string[][] }> {
  const asked: string[][] = []
  const server = createServer(async (request, response) => {
    const { NodeNames } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    asked.push([...NodeNames].sort())
    response.end(JSON.stringify({ NodeNames: asked.at(-1)!.slice(-1) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Resolves when it has a node. */
async function place(client: Client, name: string, { schedulerName = 'default-scheduler', nodeName = 'na' } = {}) {
  const pods = client.resource(Pod).in('default')
  await pods.create({ metadata: { name }, spec: { schedulerName, containers: [{ name: 'c', image: 'image' }] } })
  await until(async () => (await pods.get(name)).spec.nodeName === nodeName)
}

function registerTests(): void {
  test('of two that run, one places pods; when it stops, the other goes on', async (context) => {
    await using server = await ApiServerProcess.start()
    const client = httpsClient(server)
    context.after(() => client.close())
    await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
    await makeNode(client)
    const kubeconfig = join(dirname(server.kubeconfig), 'scheduler.kubeconfig')
    const args = ['--kubeconfig', kubeconfig, '--leader-elect-retry-period=200ms']
    const first = start(context, ...args)
    await until(() => working(first))
    const second = start(context, ...args)
    await place(client, 'p')
    assert.equal(working(second), false)
    first.child.kill('SIGTERM')
    assert.deepEqual(await once(first.child, 'exit'), [0, null])
    await until(() => working(second))
    await place(client, 'q')
    assert.doesNotMatch(first.output.stderr + second.output.stderr, /"level":"error"/)
  })

  test('places pods as a file says, by another name, and asks an extender', async (context) => {
    await using server = await ApiServerProcess.start()
    const client = httpsClient(server)
    context.after(() => client.close())
    await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
    await makeNode(client, 'na')
    await makeNode(client, 'nb')
    const { url, asked } = await startExtender(context)
    const folder = dirname(server.kubeconfig)
    const config = join(folder, 'config.yaml')
    writeFileSync(
      config,
      `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: ${JSON.stringify(join(folder, 'scheduler.kubeconfig'))}}
leaderElection: {leaderElect: false}
profiles: [{schedulerName: mine}]
extenders: [{urlPrefix: '${url}', filterVerb: filter, nodeCacheCapable: true}]
`,
    )
    const running = start(context, '--config', config)
    await until(() => working(running))
    await place(client, 'p', { schedulerName: 'mine', nodeName: 'nb' })
    assert.deepEqual(asked, [['na', 'nb']])
  })

  test('places pods by a classic policy', async (context) => {
    await using server = await ApiServerProcess.start()
    const client = httpsClient(server)
    context.after(() => client.close())
    await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
    await makeNode(client, 'na', { retiring: 'yes' })
    await makeNode(client, 'nb')
    const folder = dirname(server.kubeconfig)
    const policy = join(folder, 'policy.json')
    const labelsPresence = { labels: ['retiring'], presence: false }
    writeFileSync(policy, JSON.stringify({ predicates: [{ name: 'NotRetiring', argument: { labelsPresence } }] }))
    const kubeconfig = join(folder, 'scheduler.kubeconfig')
    const running = start(context, '--kubeconfig', kubeconfig, '--policy-config-file', policy, '--leader-elect=false')
    await until(() => working(running))
    await place(client, 'p', { nodeName: 'nb' })
  })

  test('says what is wrong with a file', async (context) => {
    const { child, output } = start(context, '--config', '/no/such/file')
    assert.deepEqual(await once(child, 'close'), [1, null])
    assert.match(output.stderr, /^proa scheduler: invalid scheduler configuration \/no\/such\/file: /)
  })

  test('says what is wrong with its arguments', async (context) => {
    const { child, output } = start(context, '--kubeconfg', 'x')
    assert.deepEqual(await once(child, 'close'), [2, null])
    assert.match(output.stderr, /^proa scheduler: .*--kubeconfg/)
  })
}
