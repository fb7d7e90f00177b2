import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNodeReady } from '../../api/core/v1/node/ready.js'
import { type Environment, environment as environmentOf } from '../../base/environment.js'
import { inProcessTransport } from '../../client/in-process.js'
import { type Containerd, startContainerd } from '../../cri/containerd/containerd.js'
import type { Image } from '../../cri/images/image.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { hostAddressBook, nodeAddresses } from '../../kubelet/node/node-addresses.js'
import type { NodeIdentity } from '../../kubelet/node/node-identity.js'
import type { NodeSettings } from '../../kubelet/node-dependencies.js'
import { linuxPlatform } from '../../kubelet/platform.js'
import { type RunningNode, runNode } from '../../kubelet/run-node.js'
import { servingCertificate } from '../../kubelet/server/serving-certificate.js'
import type { TestCluster } from '../cluster.js'
import {
  type ContainerHarness,
  createContainerHarness,
  removeContainerHarness,
  writeNetworkConfiguration,
} from './container-harness.js'

export interface TestNodeOptions {
  /** Default: `test-node`. */
  readonly name?: string
  /** Images that are present from the start. */
  readonly images?: readonly Image[]
  readonly settings?: NodeSettings
  /** Default: the environment of the cluster. */
  readonly environment?: Environment
  /** The pod address range. Default: 30 addresses. */
  readonly podRange?: string
  /** Wraps the runtime that the kubelet uses. */
  readonly wrapRuntime?: (runtime: ContainerRuntime) => ContainerRuntime
}

/** A node with real containers: a private containerd, and a kubelet in this process. Needs root and Debian's packages. */
export interface TestNode extends AsyncDisposable {
  readonly name: string
  readonly containerd: Containerd
  readonly harness: ContainerHarness
  readonly identity: NodeIdentity
  /** The kubelet's folder of static pods. */
  readonly manifests: string
  readonly running: RunningNode
  /** Restarts the kubelet while containers keep running. */
  restart(): Promise<void>
  /** Stops everything. All pods must be deleted before. Rejects with a list of left-overs. */
  close(): Promise<void>
}

/** The resolver for names outside the cluster: an address without a server. */
const resolver = 'nameserver 192.0.2.53\n'

/** Resolves when the node is ready. */
export async function startTestNode(cluster: TestCluster, options: TestNodeOptions = {}): Promise<TestNode> {
  const name = options.name ?? 'test-node'
  const made = await createContainerHarness()
  const harness = { ...made, podRange: options.podRange ?? made.podRange }
  const networkFolder = join(harness.folder, 'net.d')
  writeNetworkConfiguration(networkFolder, harness)
  const alive = setInterval(() => {}, 60_000) // timers of a clock do not keep the process alive
  const containerd = await startContainerd({ folder: harness.folder, environment: environmentOf(), networkFolder })
  const identity = await identityIn(harness, name)
  const manifests = join(harness.folder, 'manifests')
  mkdirSync(manifests)
  const start = () => startKubelet({ cluster, harness, containerd, identity, manifests, options })
  let running: RunningNode | undefined
  const close = async () => {
    await running?.close()
    await containerd.close()
    clearInterval(alive)
    await removeContainerHarness(harness)
  }
  try {
    if (options.images?.length) await containerd.addImages(options.images)
    running = await start()
  } catch (error) {
    await close()
    throw error
  }
  return {
    name,
    containerd,
    harness: harness,
    identity,
    manifests,
    get running() {
      return running!
    },
    async restart() {
      await running?.close()
      running = await start()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function identityIn({ folder }: ContainerHarness, nodeName: string): Promise<NodeIdentity> {
  return {
    nodeName,
    rootFolder: join(folder, 'kubelet'),
    podLogsFolder: join(folder, 'logs'),
    hostAddresses: await nodeAddresses({ hostname: nodeName }, hostAddressBook()),
    clusterDomain: 'cluster.local',
    clusterDns: ['10.96.0.10'],
  }
}

interface KubeletDependencies {
  readonly cluster: TestCluster
  readonly harness: ContainerHarness
  readonly containerd: Containerd
  readonly identity: NodeIdentity
  readonly manifests: string
  readonly options: TestNodeOptions
}

async function startKubelet({ cluster, harness, containerd, identity, manifests, options }: KubeletDependencies) {
  const { api, keys, authority } = cluster
  const { environment = cluster.environment } = options
  const { nodeName, rootFolder, hostAddresses: hosts } = identity
  const user = { name: `system:node:${nodeName}`, uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} }
  const signing = keys.signing()
  const resolverFile = join(harness.folder, 'resolv.conf')
  writeFileSync(resolverFile, resolver)
  const folder = join(rootFolder, 'pki')
  const certificate = servingCertificate(
    { folder, nodeName, hosts, ...(signing && { authority: signing }) },
    environment,
  )
  const running = await runNode({
    environment,
    transport: inProcessTransport({ handle: api.handleInProcess, user, userAgent: 'kubelet' }),
    runtime: options.wrapRuntime?.(containerd.runtime) ?? containerd.runtime,
    identity,
    version: 'v1.36.4+proa-test',
    platform: linuxPlatform({ network: undefined, cgroups: { root: harness.cgroupParent } }),
    options: {
      manifests,
      ...options.settings,
      containers: { resolverFile, ...options.settings?.containers },
      server: { port: 0, tls: { ...certificate, clientCa: authority } },
    },
  })
  await untilReady(running)
  return running
}

async function untilReady({ agent }: RunningNode): Promise<void> {
  const isReady = () => {
    const node = agent.node()
    return node !== undefined && isNodeReady(node)
  }
  while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 5))
}
