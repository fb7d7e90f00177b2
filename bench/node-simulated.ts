/** Many simulated nodes and one control plane, in one process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Deployment } from '../src/api/apps/v1/deployment.js'
import { Node } from '../src/api/core/v1/node.js'
import { Pod } from '../src/api/core/v1/pod.js'
import { ServiceAccount } from '../src/api/core/v1/service-account.js'
import { startTestCluster, type TestCluster } from '../src/testing/cluster.js'
import { startSimulatedNode } from '../src/testing/simulated-node.js'
import type { Figure, ReportFigure } from './figure.js'
import { isEmpty, until } from './until.js'

const nodes = 1000
const pods = 3000

export async function simulatedNodeFigures(report: ReportFigure): Promise<void> {
  const cluster = await startTestCluster({ scheduler: true, isChecked: false })
  const folder = mkdtempSync(join(tmpdir(), 'proa-nodes-'))
  await until(cluster.controllers.informers.of(ServiceAccount), (all) => all.get('default/default') !== undefined)
  const ledger = new ResourceUsage(report)
  const running = await ledger.entry(`${nodes} nodes until all are ready`, nodes, async () => {
    const started = await Promise.all(
      Array.from({ length: nodes }, (_, i) =>
        startSimulatedNode(cluster, { name: `node-${i}`, folder, podRange: rangeOf(i) }),
      ),
    )
    await until(cluster.controllers.informers.of(Node), (all) => [...all.list()].filter(isReady).length === nodes, 10)
    return started
  })
  await ledger.entry(`${pods} pods on them until all run`, pods, () => runPods(cluster))
  await idleness(report)
  await ledger.entry(`${pods} pods until all are gone`, pods, () => removePods(cluster))
  await Promise.all(running.map((node) => node.close()))
  await cluster.close()
  rmSync(folder, { recursive: true })
}

/** Measures time, memory and CPU time per item. */
class ResourceUsage {
  readonly #report: ReportFigure

  constructor(report: ReportFigure) {
    this.#report = report
  }

  async entry<T>(what: string, count: number, work: () => Promise<T>): Promise<T> {
    globalThis.gc?.()
    const memory = process.memoryUsage().heapUsed
    const from = performance.now()
    const before = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    const took = (performance.now() - from) / 1000
    globalThis.gc?.()
    const kept = (process.memoryUsage().heapUsed - memory) / 1000 / count
    const cpu = (user + system) / 1000 / count
    const note = `for each ${cpu.toFixed(1)} ms of CPU, ${kept.toFixed(0)} kB`
    const figure: Figure = { name: `simulated: ${what}`, value: took, unit: 's', note }
    this.#report(figure)
    return result
  }
}

const apps = Array.from({ length: pods / 100 }, (_, i) => `app-${i}`)

async function runPods({ client, controllers }: TestCluster): Promise<void> {
  const create = (name: string) => {
    const labels = { app: name }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } }
    const spec = { replicas: 100, selector: { matchLabels: labels }, template }
    return client.resource(Deployment).create({ metadata: { name, namespace: 'default' }, spec })
  }
  await Promise.all(apps.map(create))
  const deployments = controllers.informers.of(Deployment)
  const isThere = (name: string) => deployments.get(`default/${name}`)?.status.availableReplicas === 100
  await until(deployments, () => apps.every(isThere))
}

async function removePods({ client, controllers }: TestCluster): Promise<void> {
  const deployments = client.resource(Deployment).in('default')
  await Promise.all(apps.map((name) => deployments.delete(name, { propagationPolicy: 'Background' })))
  await until(controllers.informers.of(Pod), (all) => isEmpty(all.list()), 10)
}

async function idleness(report: ReportFigure): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const span = 20_000
  const before = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, span))
  const { user, system } = process.cpuUsage(before)
  const value = (user + system) / 10 / span
  const note = `${((value * 10_000) / nodes).toFixed(0)} µs of CPU a second for each node; control plane included`
  report({ name: `simulated: idle with ${nodes} nodes, ${pods} pods`, value, unit: '%', note })
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false
}

function rangeOf(node: number): string {
  return `10.${100 + (node >> 8)}.${node & 255}.0/24`
}
