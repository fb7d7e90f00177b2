import { systemClock } from '../../base/clock.js'
import type { ControllerFlags } from '../../controllers/catalogue.js'
import type { LocalCluster } from '../cluster/cluster.js'
import type { NodeRecord } from '../cluster/record.js'
import { type ApiServerFlags, apiServerOptions } from '../components/apiserver-flags.js'
import { commandEnvironment } from '../process/command-environment.js'
import { clusterNames, freePodRange } from './cluster-names.js'
import { type ControlPlane, startControlPlane } from './control-plane.js'
import { type ClusterNodes, startNodes } from './nodes.js'
import type { Progress } from './progress.js'
import type { UpFlags } from './up-flags.js'

export interface LocalClusterOptions {
  readonly flags: UpFlags
  readonly cluster: LocalCluster
  readonly progress: Progress
  /** The start of the command, by the monotonic clock. */
  readonly begun: number
}

/** Starts a cluster in this process. Resolves when the control plane serves and the nodes are ready. Stops everything if that fails. */
export async function startLocalCluster(options: LocalClusterOptions): Promise<RunningCluster> {
  const { flags, cluster, progress } = options
  const folder = cluster.dataDirectory
  const environment = commandEnvironment(flags.v, 'warn')
  const podRange = flags['cluster-cidr'] || freePodRange(clusterNames(folder))
  const serverFlags: ApiServerFlags & ControllerFlags = {
    ...flags,
    'secure-port': flags.port,
    'cluster-cidr': podRange,
  }
  progress.waitFor('control plane')
  const nodes = startNodes({ environment, folder, flags, progress })
  const plane = await startControlPlane({
    environment,
    server: apiServerOptions(serverFlags, folder),
    controllers: (server) => ({
      flags: serverFlags,
      credentials: { rootAuthority: server.authority, ...server.keys },
    }),
  }).catch(async (error: unknown) => {
    await nodes.abandon()
    throw error
  })
  return joinNodes(options, plane, nodes)
}

async function joinNodes(
  options: LocalClusterOptions,
  plane: ControlPlane,
  nodes: ClusterNodes,
): Promise<RunningCluster> {
  const { cluster, progress, begun } = options
  const after = () => `after ${((systemClock.monotonic() - begun) / 1000).toFixed(2)} s`
  const { server } = plane
  progress.report('control plane', `${server.url}, ${after()}; its data is in ${cluster.dataDirectory}`)
  try {
    const records = await nodes.join(server)
    for (const { name, runtime } of records) progress.report('node', `${name}: ${runtime}, ${after()}`)
    return new RunningCluster(plane, nodes, records)
  } catch (error) {
    await nodes.close()
    await plane.close()
    throw error
  }
}

/** A control plane with its nodes, in this process. */
export class RunningCluster {
  readonly #plane: ControlPlane
  readonly #nodes: ClusterNodes
  readonly nodes: readonly NodeRecord[]

  constructor(plane: ControlPlane, nodes: ClusterNodes, records: readonly NodeRecord[]) {
    this.#plane = plane
    this.#nodes = nodes
    this.nodes = records
  }

  get url(): string {
    return this.#plane.server.url
  }

  /** The kubeconfig of the administrator. Undefined if another CA signs client certificates. */
  get kubeconfig(): string | undefined {
    return this.#plane.server.kubeconfig
  }

  get canRunPods(): boolean {
    return this.nodes.length > 0
  }

  /** Whether the user must load `proa/hello` before it can run. */
  get needsHelloImage(): boolean {
    return this.#nodes.needsHelloImage
  }

  /** Pulls `proa/hello` in the background. Call it when the cluster is ready. */
  fetchHello(): void {
    this.#nodes.fetchHello()
  }

  /** Stops the cluster. Its containers keep running. */
  async close(): Promise<void> {
    await this.#nodes.close()
    await this.#plane.close()
  }
}
