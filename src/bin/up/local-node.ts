import { lstatSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { RunningApiServer } from '../../apiserver/server.js'
import type { Environment } from '../../base/environment.js'
import type { Transport } from '../../client/transport.js'
import { PodNetwork } from '../../cni/pod-network.js'
import { findPrograms } from '../../cri/containerd/programs.js'
import { CgroupTree } from '../../kubelet/cgroups/cgroup-tree.js'
import { mountedHierarchies } from '../../kubelet/cgroups/hierarchies.js'
import { hostAddressBook, nodeAddresses } from '../../kubelet/node/node-addresses.js'
import type { NodeIdentity } from '../../kubelet/node/node-identity.js'
import { linuxPlatform, type NodePlatform, simulatedPlatform } from '../../kubelet/platform.js'
import { podsFolder } from '../../kubelet/pods/pod-folders.js'
import { type RunningNode, runNode } from '../../kubelet/run-node.js'
import { servingCertificate } from '../../kubelet/server/serving-certificate.js'
import { mountsFor } from '../../kubelet/volumes/mounts.js'
import { removePodFolder } from '../../kubelet/volumes/removal.js'
import { networkOf as networkAddress, parseCidr } from '../../schema/values/ip-address.js'
import { nodeSettings } from '../components/kubelet-flags.js'
import { type ClusterNames, clusterNames } from './cluster-names.js'
import { containerdFolder, type NodeRuntime } from './runtime-choice.js'
import type { UpFlags } from './up-flags.js'

export interface LocalNodeOptions {
  readonly environment: Environment
  /** The data directory of the cluster. */
  readonly folder: string
  readonly flags: UpFlags
  readonly name: string
  readonly runtime: NodeRuntime
  readonly transport: Transport
  readonly server: RunningApiServer
  readonly version: string
}

/** Starts the kubelet of a node in this process. */
export async function startLocalNode(options: LocalNodeOptions): Promise<RunningNode> {
  const { environment, folder, flags, name, runtime, transport, server, version } = options
  const identity = await identityOf(options)
  const { signing } = server.keys
  const authority = signing()
  const certificate = servingCertificate(
    {
      folder: join(identity.rootFolder, 'pki'),
      nodeName: name,
      hosts: identity.hostAddresses,
      ...(authority && { authority }),
    },
    environment,
  )
  const settings = nodeSettings(flags)
  const port = runtime.isSimulated ? 0 : await freePort(10_250)
  return runNode({
    environment,
    transport,
    runtime: runtime.runtime,
    identity,
    version,
    platform: platformOf(folder, flags, runtime, environment),
    options: { ...settings, server: { port, tls: { ...certificate, clientCa: server.authority } } },
  })
}

async function identityOf({ folder, flags, name, runtime }: LocalNodeOptions): Promise<NodeIdentity> {
  const rootFolder = join(folder, 'nodes', name)
  const addresses = runtime.isSimulated
    ? ['127.0.0.1']
    : await nodeAddresses({ hostname: name, nodeAddresses: flags['node-ip'] }, hostAddressBook())
  return {
    nodeName: name,
    rootFolder,
    podLogsFolder: join(rootFolder, 'logs'),
    hostAddresses: addresses,
    clusterDomain: flags['cluster-domain'],
    clusterDns: flags['cluster-dns'].length > 0 ? flags['cluster-dns'] : dnsAddresses(flags),
  }
}

/** Returns the tenth address of the service range, which is the DNS address by convention. */
function dnsAddresses(flags: UpFlags): readonly string[] {
  const [first] = flags['service-cluster-ip-range']
  const cidr = first === undefined ? undefined : parseCidr(first)
  if (cidr?.address.bytes.length !== 4 || cidr.prefixLength > 28) return []
  const bytes = [...networkAddress(cidr).bytes]
  bytes[3] = bytes[3]! + 10
  return [bytes.join('.')]
}

function platformOf(folder: string, flags: UpFlags, runtime: NodeRuntime, environment: Environment): NodePlatform {
  if (runtime.isSimulated) return simulatedPlatform()
  const names = clusterNames(folder)
  const root = flags['cgroup-root'] ?? names.cgroupRoot
  return linuxPlatform({
    network: networkOf(folder, names, environment, runtime.networkFolder),
    cgroups: { perQos: flags['cgroups-per-qos'], root },
  })
}

function networkOf(
  folder: string,
  names: ClusterNames,
  { log }: Environment,
  networkFolder: string | undefined,
): PodNetwork | undefined {
  const programs = findPrograms()
  if (networkFolder === undefined || 'missing' in programs) return undefined
  return new PodNetwork({
    configurationFolder: networkFolder,
    pluginFolder: programs.found.networkPlugins,
    log,
    name: names.network,
    bridge: names.bridge,
    addressesFolder: join(folder, 'addresses'),
  })
}

/** Resolves with `preferred` if the port is free, otherwise with 0. The node status reports the port to the API server. */
function freePort(preferred: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(0))
    server.listen(preferred, () => server.close(() => resolve(preferred)))
  })
}

/** Removes volumes, cgroups and the network of a stopped cluster whose containers have ended. */
export async function cleanUpNode(folder: string, environment: Environment): Promise<void> {
  const names = clusterNames(folder)
  await cleanUpPods(folder)
  await new CgroupTree(mountedHierarchies(), environment.clock).remove(names.cgroupRoot)
  await networkOf(folder, names, environment, join(containerdFolder(folder), 'net.d'))?.reset()
}

/** Unmounts and removes the volumes of pods. Does not follow links, because their targets are not part of the cluster. */
export async function cleanUpPods(folder: string): Promise<void> {
  const mounts = mountsFor()
  try {
    for (const node of foldersIn(join(folder, 'nodes')))
      for (const pod of foldersIn(podsFolder(node))) await removePodFolder(pod, mounts)
  } finally {
    mounts.close()
  }
}

/** Returns an empty array if `folder` is a link or does not exist. */
function foldersIn(folder: string): readonly string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}
