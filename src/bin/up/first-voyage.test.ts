import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Pod } from '../../api/core/v1/pod.js'
import { runningProcesses } from '../../cri/containerd/processes.js'
import { containerLeftOvers } from '../../testing/containers/container-left-overs.js'
import { containersMissing } from '../../testing/containers/container-packages.js'
import { clusterNames } from './cluster-names.js'

const program = fileURLToPath(new URL('../../../bundle/bin/proa.cjs', import.meta.url))
const skip = await containersMissing()

describe('kubectl run --image=proa/hello --replicas=3 --port=80 --expose, from nothing', { skip }, () => {
  const home = mkdtempSync(join(tmpdir(), 'proa-voyage-'))
  const data = join(home, 'data')
  const env = { ...process.env, HOME: home, KUBECONFIG: join(home, 'config'), PROA_DATA_DIR: data, PROA_PORT: '0' }

  after(async () => {
    await proa('reset', '--yes')
    const { bridge, cgroupRoot } = clusterNames(data)
    const left = containerLeftOvers({ folder: data, bridge, cgroupParent: cgroupRoot, podRange: '' })
    rmSync(home, { recursive: true })
    assert.deepEqual(
      left.filter((line) => !line.startsWith('socket ')), // those may be of another test
      [],
    )
  })

  const proa = async (...args: readonly string[]) =>
    (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout

  const pods = async () =>
    (JSON.parse(await proa('kubectl', 'get', 'pods', '-l', 'run=hello', '-o', 'json')) as { items: Pod[] }).items

  /** As somebody starts it who then looks at the terminal. Resolves when it has said all that it has to say. */
  async function up() {
    const child = spawn(process.execPath, [program, 'up'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const exit = once(child, 'exit')
    for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('Ctrl-C')) break
    return async () => {
      child.kill('SIGINT')
      return (await exit) as [code: number | null, signal: string | null]
    }
  }

  let stop: Awaited<ReturnType<typeof up>>
  let before: readonly Pod[]

  test('is three pods that run and answer', async () => {
    stop = await up()
    const created = await proa('kubectl', 'run', '--image=proa/hello', '--replicas=3', '--port=80', '--expose')
    assert.equal(created, 'service/hello created\ndeployment.apps/hello created\n')
    await proa('kubectl', 'rollout', 'status', 'deployment/hello', '--timeout=2m')
    before = await pods()
    assert.deepEqual(
      before.map(({ status }) => status?.phase),
      ['Running', 'Running', 'Running'],
    )
    for (const { metadata, status, spec } of before) {
      assert.equal(spec?.containers?.[0]?.imagePullPolicy, 'Always')
      assert.equal(await (await fetch(`http://${status?.podIP}`)).text(), `Hello from ${metadata.name}\n`)
    }
  })

  test('has an address for all of them, and knows who is behind it', async () => {
    const service = ['kubectl', 'get', 'service', 'hello', '-o', 'jsonpath={.spec.clusterIP} {.spec.ports[*].port}']
    assert.match(await proa(...service), /^10\.96\.\d+\.\d+ 80$/)
    const slices = ['kubectl', 'get', 'endpointslices', '-l', 'kubernetes.io/service-name=hello', '-o', 'json']
    const [slice] = JSON.parse(await proa(...slices)).items
    assert.deepEqual(
      slice.endpoints.flatMap(({ addresses }: { addresses: string[] }) => addresses).sort(),
      before.map(({ status }) => status?.podIP).sort(),
    )
  })

  test('refuses connections to that address at once, from the machine and from a pod: nothing serves it yet', async () => {
    const address = await proa('kubectl', 'get', 'service', 'hello', '-o', 'jsonpath={.spec.clusterIP}')
    const connect = `require('net').connect(80, '${address}').on('error', ({ code }) => console.log(code))`
    const here = await promisify(execFile)(process.execPath, ['-e', connect])
    assert.equal(here.stdout, 'ECONNREFUSED\n')
    assert.equal(await proa('kubectl', 'exec', 'deployment/hello', '--', 'node', '-e', connect), 'ECONNREFUSED\n')
  })

  test('runs on while the cluster is stopped, and is found again', async () => {
    const containers = () => runningProcesses().filter(({ command }) => command[1] === '/hello.js').length
    assert.ok(containers() >= 3)
    assert.deepEqual(await stop(), [0, null])
    assert.ok(containers() >= 3)
    stop = await up()
    const ids = (items: readonly Pod[]) => items.map(({ status }) => status?.containerStatuses?.[0]?.containerID).sort()
    assert.deepEqual(ids(await pods()), ids(before))
    assert.deepEqual(await stop(), [0, null])
  })
})
