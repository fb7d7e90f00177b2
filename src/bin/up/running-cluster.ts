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
  /** When the command began, by the monotonic clock. */
  readonly begun: number
}

/** Resolves when the control plane serves and the nodes are ready. What was started ends again where that fails. */
export async function startLocalCluster(parts: LocalClusterOptions): Promise<RunningCluster> {
  const { flags, cluster, progress } = parts
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
  return joined(parts, plane, nodes)
}

async function joined(parts: LocalClusterOptions, plane: ControlPlane, nodes: ClusterNodes): Promise<RunningCluster> {
  const { cluster, progress, begun } = parts
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

  /** Of its administrator; undefined where somebody else signs the certificates of clients. */
  get kubeconfig(): string | undefined {
    return this.#plane.server.kubeconfig
  }

  get canRunPods(): boolean {
    return this.nodes.length > 0
  }

  /** Whether `proa/hello` has to be loaded before it can run. */
  get needsHelloImage(): boolean {
    return this.#nodes.needsHelloImage
  }

  /** To be called when nothing waits any more. */
  fetchHello(): void {
    this.#nodes.fetchHello()
  }

  /** Containers keep running. */
  async close(): Promise<void> {
    await this.#nodes.close()
    await this.#plane.close()
  }
}
