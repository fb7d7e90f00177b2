/**
 * The scheduler: the time of a decision, and the throughput of `proa up` with its store on disk. Another process creates the pods over the
 * network while they are scheduled.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '../src/base/random.js'
import { ClusterCache } from '../src/scheduler/cache/cluster-cache.js'
import { PodInfo } from '../src/scheduler/cache/pod-info.js'
import { defaultProfile } from '../src/scheduler/configuration/profile-factory.js'
import { decide } from '../src/scheduler/cycle/cycle.js'
import { noNominatedPods } from '../src/scheduler/framework/plugin.js'
import { informersOf } from '../src/scheduler/plugins/plugins.test.kit.js'
import { eachLine } from '../src/testing/processes/process-log.js'
import { createServerFolder } from '../src/testing/servers/server-folder.js'
import { cpuOf, send, sendSuccessfully } from './apiserver/server-process.js'
import type { ReportFigure } from './figure.js'
import { pluginFigures } from './scheduler-plugins.js'

export async function schedulerFigures(report: ReportFigure): Promise<void> {
  decisionFigure(5000, 5000, report)
  await pluginFigures(report)
  await throughputFigure({ nodes: 500, pods: 2000, least: 800 }, report)
  await throughputFigure({ nodes: 5000, pods: 5000, least: 500 }, report)
}

/** Measures decisions without a server: filter, score and assume, one pod after the other. */
function decisionFigure(nodes: number, pods: number, report: ReportFigure): void {
  const cache = new ClusterCache()
  for (let i = 0; i < nodes; i++) cache.putNode(node(`node-${i}`) as never)
  const profile = defaultProfile({ schedulerName: 'default-scheduler', informers: informersOf(), extenders: [] })
  const random = seededRandom(1)
  const infos = Array.from({ length: pods }, (_, i) => new PodInfo(pod(`pod-${i}`) as never))
  const begun = performance.now()
  let start = 0
  for (const info of infos) {
    const { decision, next } = decide(info, {
      ...{ profile, random, start },
      snapshot: cache.snapshot(),
      nominated: noNominatedPods,
    })
    start = next
    cache.assume(info, decision.node!.name)
  }
  const value = ((performance.now() - begun) * 1000) / pods
  report({ name: `scheduler: decide, ${nodes} nodes`, value, unit: 'µs', note: `${pods} pods one after the other` })
}

interface ThroughputOptions {
  readonly nodes: number
  readonly pods: number
  /** Pods per second. */
  readonly least: number
}

/** Rounds with the same number of pods on the same nodes. V8 needs some thousand pods to optimize the code. */
const rounds = 4

async function throughputFigure({ nodes, pods, least }: ThroughputOptions, report: ReportFigure): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-bench-'))
  const { child, url } = await startUp(folder)
  try {
    await untilPodsCanBeCreated(url)
    await inParallel(nodes, (i) => createNode(url, `node-${i}`))
    const results: Round[] = []
    for (let round = 0; round < rounds; round++) results.push(await schedulePods(url, child.pid!, { round, pods }))
    const [first] = results
    const best = results.reduce((one, other) => (other.placed > one.placed ? other : one))
    const note = `created at ${best.created.toFixed(0)}/s; ${best.cpu.toFixed(0)} µs of CPU a pod; first round ${first!.placed.toFixed(0)}/s`
    const name = `scheduler: ${pods} pods on ${nodes} nodes`
    report({ name, value: best.placed, unit: 'pods/s', budget: `≥ ${least} pods/s`, note })
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
}

/** Pods per second, and CPU time of `proa up` per pod in microseconds. */
interface Round {
  readonly placed: number
  readonly created: number
  readonly cpu: number
}

async function schedulePods(
  url: string,
  pid: number,
  { round, pods }: { readonly round: number; readonly pods: number },
): Promise<Round> {
  const [begun, cpu] = [performance.now(), cpuOf(pid)]
  await inParallel(pods, (i) =>
    sendSuccessfully(url, { method: 'POST', path: podsPath, content: pod(`pod-${round}-${i}`) }),
  )
  const created = performance.now() - begun
  while (!(await areAllScheduled(url))) await new Promise((resolve) => setTimeout(resolve, 10))
  const took = performance.now() - begun
  return { placed: (pods * 1000) / took, created: (pods * 1000) / created, cpu: (cpuOf(pid) - cpu) / pods }
}

const program = fileURLToPath(new URL('../bundle/bin/proa.cjs', import.meta.url))

async function startUp(path: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const { tokenFile } = createServerFolder({ path })
  const flags = [`--data-dir=${path}`, `--token-auth-file=${tokenFile}`, '--port=0', '--bind-address=127.0.0.1']
  // There are no kubelets, so controllers of nodes would find all nodes dead.
  const args = [program, 'up', ...flags, '--controllers=serviceaccount', '--runtime=none', '--kubeconfig=-']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve, reject) => {
    eachLine(child.stdout, (line) => {
      const served = /control plane +(https:[^,]+),/.exec(line)?.[1]
      if (served !== undefined) resolve(served)
    })
    child.once('exit', (code) => reject(new Error(`proa up ended with ${code} before it served`)))
  })
  return { child, url }
}

const podsPath = '/api/v1/namespaces/default/pods'

async function untilPodsCanBeCreated(url: string): Promise<void> {
  const path = '/api/v1/namespaces/default/serviceaccounts/default'
  while ((await send(url, { path })).code !== 200) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Creates a node, and removes the taint that it has until its first heartbeat. */
async function createNode(url: string, name: string): Promise<void> {
  await sendSuccessfully(url, { method: 'POST', path: '/api/v1/nodes', content: node(name) })
  const type = 'application/merge-patch+json'
  await sendSuccessfully(url, {
    method: 'PATCH',
    path: `/api/v1/nodes/${name}`,
    content: { spec: { taints: null } },
    type,
  })
}

async function areAllScheduled(url: string): Promise<boolean> {
  const answer = await sendSuccessfully(url, { path: `${podsPath}?fieldSelector=spec.nodeName%3D&limit=1` })
  return JSON.parse(answer.toString()).items.length === 0
}

async function inParallel(count: number, act: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

function node(name: string): object {
  const amounts = { cpu: '32', memory: '64Gi', pods: '110' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
  }
}

function pod(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name },
    spec: {
      schedulerName: 'default-scheduler',
      containers: [{ name: 'c', image: 'nginx:1.27', resources: { requests: { cpu: '100m', memory: '500Mi' } } }],
    },
  }
}
