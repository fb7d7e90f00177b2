import { existsSync } from 'node:fs'
import { isNodeReady } from '../../api/core/v1/node/ready.js'
import { gitVersion } from '../../apiserver/extensions/version.js'
import { type RunningApiServer, readBuild } from '../../apiserver/server.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { type InProcessUser, inProcessTransport } from '../../client/in-process.js'
import type { Transport } from '../../client/transport.js'
import { hostName } from '../../kubelet/node/node-addresses.js'
import type { RunningNode } from '../../kubelet/run-node.js'
import type { NodeRecord } from '../cluster/record.js'
import type { Progress } from './progress.js'
import { chooseRuntime, containerdFolder, type NodeRuntime } from './runtime-choice.js'
import { rejectServiceTraffic, stopRejectingServiceTraffic } from './service-addresses.js'
import type { UpFlags } from './up-flags.js'

export interface NodesOptions {
  readonly environment: Environment
  /** The cluster's. */
  readonly folder: string
  readonly flags: UpFlags
  readonly progress: Progress
}

export interface ClusterNodes {
  /** The nodes take part in the cluster. Resolves when they are ready, or when it takes too long. */
  join(server: RunningApiServer): Promise<readonly NodeRecord[]>
  /** To be called when nothing waits any more. */
  fetchHello(): void
  /** Whether `proa/hello` has to be loaded before it can run: only a containerd of our own pulls it from us. */
  readonly needsHelloImage: boolean
  /** For a cluster that did not come to be. */
  abandon(): Promise<void>
  /** Containers run on. */
  close(): Promise<void>
}

/** Begins with what takes longest, the runtime, while the rest of the cluster starts. */
export function startNodes(parts: NodesOptions): ClusterNodes {
  return new LocalNodes(parts)
}

/** Milliseconds that a node may take before one goes on without it. */
const patience = 10_000

class LocalNodes implements ClusterNodes {
  readonly #parts: NodesOptions
  readonly #runtime: Promise<NodeRuntime> | undefined
  readonly #runtimes: NodeRuntime[] = []
  readonly #closings: (() => Promise<void>)[] = []

  constructor(parts: NodesOptions) {
    const { runtime } = parts.flags
    this.#parts = parts
    this.#runtime = runtime === 'none' ? undefined : chooseRuntime(runtime, parts)
    this.#runtime?.catch(() => {}) // whoever joins or abandons is told
  }

  async join(server: RunningApiServer): Promise<readonly NodeRecord[]> {
    const rejecting = rejectServiceTraffic(this.#parts)
    return this.#joinAll(server).finally(() => rejecting)
  }

  async #joinAll(server: RunningApiServer): Promise<readonly NodeRecord[]> {
    const records: NodeRecord[] = []
    if (this.#runtime) records.push(await this.#joinOne(server, machineNameOf(this.#parts.flags), await this.#runtime))
    for (let number = 0; number < this.#parts.flags.nodes; number++) {
      const runtime = await chooseRuntime('simulated', this.#parts)
      records.push(await this.#joinOne(server, `simulated-${number}`, runtime))
    }
    return records
  }

  async #joinOne(server: RunningApiServer, name: string, runtime: NodeRuntime): Promise<NodeRecord> {
    this.#closings.push(() => runtime.close())
    this.#runtimes.push(runtime)
    const { environment, progress } = this.#parts
    progress.waitFor(`node ${name}`)
    const node = await this.#run(server, name, runtime)
    this.#closings.push(() => node.close())
    const obstacle = await obstacleAfter(node, environment, patience)
    if (obstacle !== undefined) progress.report('note', `the node ${name} is not ready yet: ${obstacle}`)
    return { name, runtime: runtime.description, isSimulated: runtime.isSimulated }
  }

  async #run(server: RunningApiServer, name: string, runtime: NodeRuntime): Promise<RunningNode> {
    const { environment, folder, flags } = this.#parts
    const { startLocalNode: runHere } = await import('./local-node.js')
    const transport = transportOf(server, name)
    return runHere({ environment, folder, flags, name, runtime, transport, server, version: gitVersion(readBuild()) })
  }

  fetchHello(): void {
    for (const { fetchHello } of this.#runtimes) fetchHello?.()
  }

  get needsHelloImage(): boolean {
    const [runtime] = this.#runtimes
    return runtime !== undefined && !runtime.isSimulated && runtime.fetchHello === undefined
  }

  async abandon(): Promise<void> {
    const runtime = await this.#runtime?.catch(() => undefined)
    await runtime?.close()
  }

  async close(): Promise<void> {
    for (const close of this.#closings.reverse()) await close()
    const containersRunOn = this.#runtimes.some(({ isSimulated }) => !isSimulated)
    if (!containersRunOn) await stopRejectingServiceTraffic(this.#parts.folder)
  }
}

function machineNameOf(flags: UpFlags): string {
  return flags['hostname-override'] ?? hostName()
}

/** In the name of the node, which the server believes of those in its own process. */
function transportOf({ api }: RunningApiServer, name: string): Transport {
  const groups = ['system:nodes', 'system:authenticated']
  const user: InProcessUser = { name: `system:node:${name}`, uid: '', groups, extra: {} }
  return inProcessTransport({ handle: api.handleInProcess, user, userAgent: 'kubelet' })
}

/** Why a node is still not ready after that time; undefined as soon as it is. */
async function obstacleAfter(
  { agent }: RunningNode,
  { clock }: Environment,
  limit: number,
): Promise<string | undefined> {
  const until = clock.monotonic() + limit
  for (;;) {
    const node = agent.node()
    if (node && isNodeReady(node)) return undefined
    if (clock.monotonic() > until)
      return node?.status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? 'it is not registered'
    await sleep(clock, 5)
  }
}

/** Ends the containers of a cluster that does not run any more, and removes its rules. Whether there were containers. */
export async function endContainers(folder: string, environment: Environment): Promise<boolean> {
  const hadContainers = existsSync(containerdFolder(folder)) && (await endOwnContainers(folder, environment))
  await stopRejectingServiceTraffic(folder)
  return hadContainers
}

async function endOwnContainers(folder: string, environment: Environment): Promise<boolean> {
  const place = containerdFolder(folder)
  const { startContainerd } = await import('../../cri/containerd/containerd.js')
  const containerd = await startContainerd({ folder: place, environment, restart: false })
  const { items } = await containerd.runtime.listPodSandbox({})
  await containerd.close({ containers: 'end' })
  await (await import('./local-node.js')).clearNode(folder, environment)
  return items.length > 0
}
