import { Buffer } from 'node:buffer'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment } from '../src/base/environment.js'
import { VirtualClock } from '../src/base/virtual-clock.js'
import { connectCri } from '../src/cri/client.js'
import { startContainerd } from '../src/cri/containerd/containerd.js'
import { inProcessRuntime } from '../src/cri/in-process.js'
import { CriContainerStatus } from '../src/cri/interface/container.js'
import type { ContainerRuntime } from '../src/cri/interface/services.js'
import { serveCri } from '../src/cri/server.js'
import { SimulationScenario } from '../src/cri/simulated/scenario.js'
import { simulatedRuntime } from '../src/cri/simulated/simulated-runtime.js'
import { busyboxImage } from '../src/testing/containers/busybox-image.js'
import {
  createContainerHarness,
  removeContainerHarness,
  writeNetworkConfiguration,
} from '../src/testing/containers/container-harness.js'
import { containersMissing } from '../src/testing/containers/container-packages.js'
import { median, microseconds, type ReportFigure } from './figure.js'

const nodes = 1000
const podsPerNode = 10

/** Measures the container runtime interface: messages, calls, many simulated nodes, and a pod with real containerd. */
export async function criFigures(report: ReportFigure): Promise<void> {
  const alive = setInterval(() => {}, 60_000) // a clock's timers let a process end that has nothing else to do
  messageFigures(report)
  await callFigures(report)
  await manyNodes(report)
  await realPod(report)
  clearInterval(alive)
}

function messageFigures(report: ReportFigure): void {
  const labels = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`label-${index}`, `value-${index}`]))
  const status = {
    id: 'c'.repeat(64),
    metadata: { name: 'main', attempt: 3 },
    state: 'CONTAINER_RUNNING',
    createdAt: 1_767_225_600_123_456_789n,
    image: { image: 'docker.io/library/web:1' },
    imageRef: `sha256:${'d'.repeat(64)}`,
    labels,
    annotations: labels,
    mounts: Array.from({ length: 4 }, (_, index) => ({ containerPath: `/data/${index}`, hostPath: `/var/${index}` })),
  } as const
  const bytes = Buffer.from(CriContainerStatus.encode(status))
  const [name, unit] = ['CRI: a container’s status', 'µs']
  report({ name: `${name}, written`, value: microseconds(() => CriContainerStatus.encode(status)), unit })
  report({ name: `${name}, read`, value: microseconds(() => CriContainerStatus.decode(bytes)), unit })
}

async function callFigures(report: ReportFigure): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-bench-cri-'))
  const world = environment()
  const simulated = await simulatedRuntime({ environment: world })
  const server = await serveCri(simulated, join(folder, 'runtime.sock'))
  const client = connectCri({ endpoint: server.endpoint, environment: world })
  report({
    name: 'CRI: a call over a socket',
    value: await perCall(client),
    unit: 'µs',
    note: 'both ends in one process',
  })
  report({
    name: 'CRI: a call in process',
    value: await perCall(inProcessRuntime(simulated, { environment: world })),
    unit: 'µs',
  })
  client.close()
  await server.close()
  rmSync(folder, { recursive: true })
}

async function perCall(runtime: ContainerRuntime): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 7; round++) {
    const start = performance.now()
    for (let call = 0; call < 1000; call++) await runtime.status({})
    rounds.push(performance.now() - start)
  }
  return Math.min(...rounds)
}

async function manyNodes(report: ReportFigure): Promise<void> {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const start = performance.now()
  const world = environment({ clock: new VirtualClock() })
  const scenario = new SimulationScenario({ present: ['web'] })
  const make = async () =>
    inProcessRuntime(await simulatedRuntime({ environment: world, scenario, writeLogs: false }), { environment: world })
  const all = await Promise.all(Array.from({ length: nodes }, make))
  await Promise.all(all.map(runPods))
  const time = performance.now() - start
  globalThis.gc?.()
  const memory = (process.memoryUsage().heapUsed - before) / 1e6
  const note = `${nodes} nodes, ${podsPerNode} pods each, in one process`
  report({ name: 'CRI: simulated pods started', value: (nodes * podsPerNode * 1000) / time, unit: 'pods/s', note })
  report({ name: 'CRI: memory of simulated nodes', value: memory, unit: 'MB', note })
}

async function runPods(node: ContainerRuntime): Promise<void> {
  for (let pod = 0; pod < podsPerNode; pod++) await runPod(node, `pod-${pod}`, { image: 'web' })
}

async function runPod(node: ContainerRuntime, name: string, image: { image: string }, parts = {}): Promise<void> {
  const config = { metadata: { name, uid: name, namespace: 'default' }, ...parts }
  const { podSandboxId } = await node.runPodSandbox({ config })
  const container = { metadata: { name: 'main' }, image, command: ['sleep', '3600'], logPath: 'main.log' }
  const { containerId } = await node.createContainer({ podSandboxId, config: container, sandboxConfig: config })
  await node.startContainer({ containerId })
}

/** Measures one pod with one container on containerd alone, without a kubelet. */
async function realPod(report: ReportFigure): Promise<void> {
  if (await containersMissing()) return
  const world = await createContainerHarness()
  writeNetworkConfiguration(join(world.folder, 'net.d'), world)
  const began = performance.now()
  const containerd = await startContainerd({ folder: world.folder, environment: environment() })
  report({ name: 'CRI: a private containerd started', value: performance.now() - began, unit: 'ms' })
  await containerd.addImages([busyboxImage('localhost/busybox:1')])
  const times: number[] = []
  for (let pod = 0; pod < 10; pod++) {
    const start = performance.now()
    const linux = { cgroupParent: `${world.cgroupParent}/${pod}` }
    await runPod(
      containerd.runtime,
      `pod-${pod}`,
      { image: 'localhost/busybox:1' },
      { linux, logDirectory: world.folder },
    )
    times.push(performance.now() - start)
  }
  report({
    name: 'CRI: a real pod, sandbox to started',
    value: median(times),
    unit: 'ms',
    note: 'calls to containerd alone',
  })
  await containerd.close()
  await removeContainerHarness(world)
}
