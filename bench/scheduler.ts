/**
 * The scheduler: how long a decision takes, and how fast pods are placed by `proa up`, whose store is on a disk. Pods are created by
 * another process over the network, while they are being placed.
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
import { ask, cpuOf, demand } from './apiserver/server-process.js'
import type { Say } from './figure.js'
import { pluginFigures } from './scheduler-plugins.js'

export async function schedulerFigures(say: Say): Promise<void> {
  decisionFigure(5000, 5000, say)
  await pluginFigures(say)
  await placementFigure({ nodes: 500, pods: 2000, least: 800 }, say)
  await placementFigure({ nodes: 5000, pods: 5000, least: 500 }, say)
}

/** Without a server: decided and assumed, one after the other. */
function decisionFigure(nodes: number, pods: number, say: Say): void {
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
  say({ name: `scheduler: decide, ${nodes} nodes`, value, unit: 'µs', note: `${pods} pods one after the other` })
}

interface Placement {
  readonly nodes: number
  readonly pods: number
  /** Pods a second. */
  readonly least: number
}

/** So many times the same number of pods, on the same nodes: it takes some thousands until everything on their way is compiled. */
const rounds = 4

async function placementFigure({ nodes, pods, least }: Placement, say: Say): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-bench-'))
  const { child, url } = await startUp(folder)
  try {
    await untilPodsCanBeMade(url)
    await inParallel(nodes, (i) => makeNode(url, `node-${i}`))
    const results: Round[] = []
    for (let round = 0; round < rounds; round++) results.push(await placed(url, child.pid!, { round, pods }))
    const [first] = results
    const best = results.reduce((one, other) => (other.placed > one.placed ? other : one))
    const note = `created at ${best.created.toFixed(0)}/s; ${best.cpu.toFixed(0)} µs of CPU a pod; first round ${first!.placed.toFixed(0)}/s`
    const name = `scheduler: ${pods} pods on ${nodes} nodes`
    say({ name, value: best.placed, unit: 'pods/s', budget: `≥ ${least} pods/s`, note })
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
}

/** Pods a second, and microseconds of CPU time that the whole of `proa up` took for one. */
interface Round {
  readonly placed: number
  readonly created: number
  readonly cpu: number
}

async function placed(
  url: string,
  pid: number,
  { round, pods }: { readonly round: number; readonly pods: number },
): Promise<Round> {
  const [begun, cpu] = [performance.now(), cpuOf(pid)]
  await inParallel(pods, (i) => demand(url, { method: 'POST', path: podsPath, content: pod(`pod-${round}-${i}`) }))
  const created = performance.now() - begun
  while (!(await areAllPlaced(url))) await new Promise((resolve) => setTimeout(resolve, 10))
  const took = performance.now() - begun
  return { placed: (pods * 1000) / took, created: (pods * 1000) / created, cpu: (cpuOf(pid) - cpu) / pods }
}

const program = fileURLToPath(new URL('../bundle/bin/proa.cjs', import.meta.url))

async function startUp(path: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const { tokenFile } = createServerFolder({ path })
  const flags = [`--data-dir=${path}`, `--token-auth-file=${tokenFile}`, '--port=0', '--bind-address=127.0.0.1']
  // Nothing plays the kubelets: loops that look after nodes would find all of them dead.
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

async function untilPodsCanBeMade(url: string): Promise<void> {
  const path = '/api/v1/namespaces/default/serviceaccounts/default'
  while ((await ask(url, { path })).code !== 200) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** A node that nobody has heard of yet is tainted until its first heartbeat was seen. */
async function makeNode(url: string, name: string): Promise<void> {
  await demand(url, { method: 'POST', path: '/api/v1/nodes', content: node(name) })
  const type = 'application/merge-patch+json'
  await demand(url, { method: 'PATCH', path: `/api/v1/nodes/${name}`, content: { spec: { taints: null } }, type })
}

async function areAllPlaced(url: string): Promise<boolean> {
  const answer = await demand(url, { path: `${podsPath}?fieldSelector=spec.nodeName%3D&limit=1` })
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
