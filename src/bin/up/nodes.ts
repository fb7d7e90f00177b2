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
  /** The data directory of the cluster. */
  readonly folder: string
  readonly flags: UpFlags
  readonly progress: Progress
}

export interface ClusterNodes {
  /** Starts the nodes. Resolves when they are ready, or after a time limit. */
  join(server: RunningApiServer): Promise<readonly NodeRecord[]>
  /** Pulls `proa/hello` in the background. Call it when the cluster is ready. */
  fetchHello(): void
  /** Whether the user must load `proa/hello` before it can run: only a private containerd pulls it from this process. */
  readonly needsHelloImage: boolean
  /** Closes the runtime of a cluster whose control plane failed to start. */
  abandon(): Promise<void>
  /** Stops the nodes. Their containers keep running. */
  close(): Promise<void>
}

/** Starts the container runtime, which takes longest, while the control plane starts. */
export function startNodes(options: NodesOptions): ClusterNodes {
  return new LocalNodes(options)
}

/** Milliseconds to wait for a node to become ready. */
const readyTimeout = 10_000

class LocalNodes implements ClusterNodes {
  readonly #options: NodesOptions
  readonly #runtime: Promise<NodeRuntime> | undefined
  readonly #runtimes: NodeRuntime[] = []
  readonly #closings: (() => Promise<void>)[] = []

  constructor(options: NodesOptions) {
    const { runtime } = options.flags
    this.#options = options
    this.#runtime = runtime === 'none' ? undefined : chooseRuntime(runtime, options)
    this.#runtime?.catch(() => {}) // `join` and `abandon` handle the error
  }

  async join(server: RunningApiServer): Promise<readonly NodeRecord[]> {
    const rejecting = rejectServiceTraffic(this.#options)
    return this.#joinAll(server).finally(() => rejecting)
  }

  async #joinAll(server: RunningApiServer): Promise<readonly NodeRecord[]> {
    const records: NodeRecord[] = []
    if (this.#runtime)
      records.push(await this.#joinOne(server, localNodeName(this.#options.flags), await this.#runtime))
    for (let number = 0; number < this.#options.flags.nodes; number++) {
      const runtime = await chooseRuntime('simulated', this.#options)
      records.push(await this.#joinOne(server, `simulated-${number}`, runtime))
    }
    return records
  }

  async #joinOne(server: RunningApiServer, name: string, runtime: NodeRuntime): Promise<NodeRecord> {
    this.#closings.push(() => runtime.close())
    this.#runtimes.push(runtime)
    const { environment, progress } = this.#options
    progress.waitFor(`node ${name}`)
    const node = await this.#run(server, name, runtime)
    this.#closings.push(() => node.close())
    const reason = await reasonNotReady(node, environment, readyTimeout)
    if (reason !== undefined) progress.report('note', `the node ${name} is not ready yet: ${reason}`)
    return { name, runtime: runtime.description, isSimulated: runtime.isSimulated }
  }

  async #run(server: RunningApiServer, name: string, runtime: NodeRuntime): Promise<RunningNode> {
    const { environment, folder, flags } = this.#options
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
    const containersKeepRunning = this.#runtimes.some(({ isSimulated }) => !isSimulated)
    if (!containersKeepRunning) await stopRejectingServiceTraffic(this.#options.folder)
  }
}

function localNodeName(flags: UpFlags): string {
  return flags['hostname-override'] ?? hostName()
}

/** Returns a transport with the node's user. The server trusts the user that its own process names. */
function transportOf({ api }: RunningApiServer, name: string): Transport {
  const groups = ['system:nodes', 'system:authenticated']
  const user: InProcessUser = { name: `system:node:${name}`, uid: '', groups, extra: {} }
  return inProcessTransport({ handle: api.handleInProcess, user, userAgent: 'kubelet' })
}

/** Waits until the node is ready. Resolves with the reason if it is not ready after `limit` milliseconds, otherwise with undefined. */
async function reasonNotReady(
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

/** Stops the containers of a stopped cluster, and removes its network rules. Resolves with whether there were containers. */
export async function stopContainers(folder: string, environment: Environment): Promise<boolean> {
  const hadContainers = existsSync(containerdFolder(folder)) && (await stopOwnContainers(folder, environment))
  await stopRejectingServiceTraffic(folder)
  return hadContainers
}

async function stopOwnContainers(folder: string, environment: Environment): Promise<boolean> {
  const { startContainerd } = await import('../../cri/containerd/containerd.js')
  const containerd = await startContainerd({ folder: containerdFolder(folder), environment, restart: false })
  const { items } = await containerd.runtime.listPodSandbox({})
  await containerd.close({ containers: 'end' })
  await (await import('./local-node.js')).cleanUpNode(folder, environment)
  return items.length > 0
}
