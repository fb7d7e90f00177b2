/** A node with real containers and its control plane, in one process as in `proa up`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Deployment } from '../src/api/apps/v1/deployment.js'
import { Pod } from '../src/api/core/v1/pod.js'
import { ServiceAccount } from '../src/api/core/v1/service-account.js'
import { hasReason } from '../src/api/errors.js'
import { startTestCluster, type TestCluster } from '../src/testing/cluster.js'
import { busyboxImage } from '../src/testing/containers/busybox-image.js'
import { containersMissing } from '../src/testing/containers/container-packages.js'
import { startTestNode, type TestNode } from '../src/testing/containers/test-node.js'
import { ProaProcess } from '../src/testing/processes/proa-process.js'
import { median, type ReportFigure } from './figure.js'
import { CallLog, command, DirectPods, image } from './node-calls.js'
import { simulatedNodeFigures } from './node-simulated.js'
import { until } from './until.js'

const rounds = 7
const many = 50
const model = 'model'

export async function nodeFigures(report: ReportFigure): Promise<void> {
  if (!(await containersMissing())) await realNode(report)
  await simulatedNodeFigures(report)
}

async function realNode(report: ReportFigure): Promise<void> {
  const cluster = await startTestCluster({ storage: 'disk', scheduler: true })
  const log = new CallLog()
  const podRange = `10.190.${process.pid & 255}.0/24`
  const node = await startTestNode(cluster, { images: [busyboxImage(image)], podRange, wrapRuntime: log.between })
  const bench = new NodeHarness(cluster, node, log)
  await until(cluster.controllers.informers.of(ServiceAccount), (all) => all.get('default/default') !== undefined)
  await bench.begin()
  await threeReplicas(bench, report)
  await ownShare(bench, report)
  await manyPods(bench, report)
  await bench.end()
  await node.close()
  await cluster.close()
  await startOfUp(report)
}

async function threeReplicas(bench: NodeHarness, report: ReportFigure): Promise<void> {
  const [ours, direct]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    direct.push(await bench.direct(3))
    ours.push(await bench.threeReplicas(`web-${round}`))
    await bench.remove()
  }
  const alone = Math.min(...direct)
  const best = Math.min(...ours)
  const note = `best of ${rounds}, median ${median(ours).toFixed(0)} ms; the runtime alone ${alone.toFixed(0)} ms, median ${median(direct).toFixed(0)} ms`
  report({ name: 'node: three replicas, POST to Available', value: best, unit: 'ms', budget: '≤ 600 ms', note })
  report({ name: 'node: three replicas, beyond the runtime', value: median(ours) - median(direct), unit: 'ms' })
}

async function ownShare(bench: NodeHarness, report: ReportFigure): Promise<void> {
  const [own, whole]: [number[], number[]] = [[], []]
  const counts = new Map<string, number>()
  const cpu = process.cpuUsage()
  for (let round = 0; round < 3 * rounds; round++) {
    bench.log.reset()
    const from = performance.now()
    await bench.onePod(`one-${round}`)
    const to = performance.now()
    own.push(bench.log.outside({ from, to }))
    whole.push(to - from)
    for (const [name, count] of bench.log.counts) counts.set(name, (counts.get(name) ?? 0) + count)
  }
  const { user, system } = process.cpuUsage(cpu)
  await bench.remove()
  const calls = [...counts].map(([name, count]) => `${name} ${(count / (3 * rounds)).toFixed(1)}`).join(', ')
  const note = `of ${median(whole).toFixed(0)} ms from POST to Ready; best ${Math.min(...own).toFixed(0)} ms`
  report({ name: 'node: a pod, outside calls to the runtime', value: median(own), unit: 'ms', budget: '≤ 50 ms', note })
  const each = (user + system) / 1000 / (3 * rounds)
  report({ name: 'node: a pod, CPU of control plane and kubelet', value: each, unit: 'ms', note: calls })
}

async function manyPods(bench: NodeHarness, report: ReportFigure): Promise<void> {
  const [ours, direct, cpu]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < 3; round++) {
    direct.push(await bench.direct(many))
    const before = process.cpuUsage()
    ours.push(await bench.manyPods(`many-${round}`, many))
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
    if (round === 2) await idleness(bench, report)
    await bench.remove()
  }
  const [best, alone] = [Math.min(...ours), Math.min(...direct)]
  const note = `${best.toFixed(0)} ms, the runtime alone ${alone.toFixed(0)} ms; medians ${median(ours).toFixed(0)} and ${median(direct).toFixed(0)} ms; ${Math.min(...cpu).toFixed(0)} ms of CPU of our own`
  report({
    name: `node: ${many} pods, to the runtime alone`,
    value: best / alone,
    unit: 'times',
    budget: '≤ 1.3',
    note,
  })
}

async function idleness({ node }: NodeHarness, report: ReportFigure): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const span = 20_000
  const before = process.cpuUsage()
  const runtimeBefore = cpuOf(node.containerd.pid!)
  await new Promise((resolve) => setTimeout(resolve, span))
  const { user, system } = process.cpuUsage(before)
  const runtime = (100 * (cpuOf(node.containerd.pid!) - runtimeBefore)) / span
  const note = `control plane and kubelet; containerd ${runtime.toFixed(1)} %`
  const value = (user + system) / 10 / span
  report({ name: `node: idle with ${many} pods`, value, unit: '%', budget: '≤ 5 % of a core', note })
}

/** Returns the CPU time of a process, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

async function startOfUp(report: ReportFigure): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'proa-up-'))
  const data = ['--data-dir', join(home, 'd'), '--name', 'bench']
  const times: number[] = []
  process.env.KUBECONFIG = join(home, 'config')
  for (let round = 0; round < 3; round++) {
    const from = performance.now()
    const up = new ProaProcess({
      args: ['up', ...data, '--port', '0', '--bind-address', '127.0.0.1', '--kubeconfig', '-'],
      log: () => {},
    })
    await up.untilOutput(/^ {2}node /)
    times.push(performance.now() - from)
    await up.end('SIGTERM')
  }
  await new ProaProcess({ args: ['reset', ...data, '--yes'], log: () => {} }).ended()
  rmSync(home, { recursive: true, force: true })
  const note = `the very first ${times[0]!.toFixed(0)} ms`
  report({ name: 'node: proa up, from start to a node that is ready', value: Math.min(...times), unit: 'ms', note })
}

class NodeHarness {
  readonly cluster: TestCluster
  readonly node: TestNode
  readonly log: CallLog
  #direct: DirectPods | undefined

  constructor(cluster: TestCluster, node: TestNode, log: CallLog) {
    this.cluster = cluster
    this.node = node
    this.log = log
  }

  /** One pod stays as the model: the pods of the direct calls use its mounts. */
  async begin(): Promise<void> {
    await this.onePod(model)
    this.#direct = new DirectPods(this.node.containerd.runtime, this.node.harness, this.log.model)
  }

  direct(count: number): Promise<number> {
    return this.#direct!.run(count)
  }

  async end(): Promise<void> {
    await this.cluster.client.resource(Pod).in('default').delete(model)
    await this.#sandboxes(0)
  }

  async threeReplicas(name: string): Promise<number> {
    const from = performance.now()
    const labels = { app: name }
    const template = { metadata: { labels }, spec: podSpec }
    const spec = { replicas: 3, selector: { matchLabels: labels }, template }
    await this.cluster.client.resource(Deployment).create({ metadata: { name, namespace: 'default' }, spec })
    const deployments = this.cluster.controllers.informers.of(Deployment)
    await until(deployments, (all) => all.get(`default/${name}`)?.status.availableReplicas === 3)
    return performance.now() - from
  }

  async onePod(name: string): Promise<void> {
    await this.#create(name)
    await this.#ready([name])
  }

  async manyPods(prefix: string, count: number): Promise<number> {
    const names = Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
    const from = performance.now()
    await Promise.all(names.map((name) => this.#create(name)))
    await this.#ready(names)
    return performance.now() - from
  }

  /** Deletes all pods but the model, and their deployments. */
  async remove(): Promise<void> {
    const { client, controllers } = this.cluster
    for (const { metadata } of (await client.resource(Deployment).list()).items)
      await client.resource(Deployment).in('default').delete(metadata.name!)
    const pods = controllers.informers.of(Pod)
    const names = [...pods.list()].map(({ metadata }) => metadata.name!).filter((name) => name !== model)
    await Promise.all(names.map((name) => client.resource(Pod).in('default').delete(name).catch(absent)))
    await this.#sandboxes(1)
  }

  /** Waits until no more pods exist. */
  async #sandboxes(count: number): Promise<void> {
    while ((await this.node.containerd.runtime.listPodSandbox({})).items.length > count)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }

  async #create(name: string): Promise<void> {
    const spec = { ...podSpec, nodeName: this.node.name }
    await this.cluster.client.resource(Pod).create({ metadata: { name, namespace: 'default' }, spec, status: {} })
  }

  async #ready(names: readonly string[]): Promise<void> {
    const isReady = (pod: Pod | undefined) =>
      pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
    await until(this.cluster.controllers.informers.of(Pod), (all) =>
      names.every((name) => isReady(all.get(`default/${name}`))),
    )
  }
}

const podSpec = { terminationGracePeriodSeconds: 5, containers: [{ name: 'main', image, command: [...command] }] }

function absent(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error
}
