import { existsSync } from 'node:fs'
import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import { findProgram } from '../../base/programs.js'
import { type CriClient, connectCri } from '../../cri/client.js'
import { containerdPaths } from '../../cri/containerd/configuration.js'
import type { CtrOptions } from '../../cri/containerd/ctr.js'
import { importImages, waitUntilVisible } from '../../cri/containerd/image-transfer.js'
import type { CriError } from '../../cri/cri-error.js'
import type { PackedImage } from '../../cri/images/image-archive.js'
import { findCluster, type LocalCluster } from '../cluster/cluster.js'
import { proaLine, withHints } from '../cluster/hints.js'
import { isDataDirectory } from '../cluster/inspection.js'
import { type ClusterRecord, readRecord } from '../cluster/record.js'
import { proaCommand, quoted } from '../process/invocation.js'
import { startHint } from '../up/last-up.js'
import { containerdFolder, hostContainerdSocket } from '../up/runtime-choice.js'
import type { ImageFlags } from './verb.js'

/** A containerd whose images `proa image` manages. */
export interface ImageRuntime extends CtrOptions {
  readonly client: CriClient
  /** The state folder of runc, for a private containerd. */
  readonly runcState: string | undefined
}

/** Thrown if there is no usable runtime. The message gives the reason and a remedy. */
export class NoRuntimeError extends Error {
  override readonly name = 'NoRuntimeError'
}

/** Calls `use` with the containerd of the cluster that the flags name. Rejects with a `NoRuntimeError` if there is none. */
export async function withRuntime<T>(flags: ImageFlags, use: (runtime: ImageRuntime) => Promise<T>): Promise<T> {
  const runtime = await openRuntime(flags)
  try {
    return await use(runtime)
  } finally {
    runtime.client.close()
  }
}

export async function openRuntime(flags: ImageFlags): Promise<ImageRuntime> {
  const found = findRuntime(flags)
  const client = connectCri({ endpoint: found.socket, environment: environment() })
  const failure = await client.version({}, { timeout: 5000 }).then(
    () => undefined,
    (error: CriError) => error,
  )
  if (!failure) return new OpenRuntime(client, found)
  client.close()
  throw new NoRuntimeError(unusable(found, failure))
}

class OpenRuntime implements ImageRuntime {
  readonly client: CriClient
  readonly socket: string
  readonly runcState: string | undefined

  constructor(client: CriClient, { socket, runcState }: FoundRuntime) {
    this.client = client
    this.socket = socket
    this.runcState = runcState
  }

  /** Searched on first use: `image ls` works without it. */
  get ctr(): string {
    const ctr = findProgram('ctr')
    if (ctr !== undefined) return ctr
    throw new NoRuntimeError('the program ctr, a part of containerd, is missing; install it')
  }
}

interface FoundRuntime {
  readonly socket: string
  readonly runcState: string | undefined
  /** The cluster that the runtime belongs to, if the cluster does not run. */
  readonly stopped?: LocalCluster | undefined
}

function findRuntime(flags: ImageFlags): FoundRuntime {
  const endpoint = flags['container-runtime-endpoint']
  if (endpoint !== undefined) return { socket: endpoint.replace(/^unix:(\/\/)?/, ''), runcState: undefined }
  const cluster = findCluster(flags)
  const record = readRecord(cluster.dataDirectory)
  requireRealContainers(cluster, record)
  const own = containerdPaths(containerdFolder(cluster.dataDirectory))
  const stopped = record ? undefined : cluster
  if (existsSync(own.socket)) return { socket: own.socket, runcState: own.runcState, stopped }
  if (existsSync(own.folder) || !existsSync(hostContainerdSocket)) throw new NoRuntimeError(notRunning(cluster))
  return { socket: hostContainerdSocket, runcState: undefined, stopped }
}

function requireRealContainers(cluster: LocalCluster, record: ClusterRecord | undefined): void {
  if (!record) return
  const { name } = cluster
  const [node] = record.nodes
  if (record.url === undefined) throw new NoRuntimeError(`the cluster ${name} is still starting; try again`)
  if (!node) throw new NoRuntimeError(`the cluster ${name} has no node on this machine`)
  if (node.isSimulated)
    throw new NoRuntimeError(
      withHints(
        `the containers of the cluster ${name} are simulated: it keeps no images, and its pods run with any image name`,
        { purpose: 'see what real containers need', command: proaLine('doctor', cluster) },
        { purpose: 'build an image into a file', command: `${proaCommand()} image build DIR -t NAME -o FILE` },
      ),
    )
}

function notRunning(cluster: LocalCluster): string {
  const { name, dataDirectory } = cluster
  return isDataDirectory(dataDirectory)
    ? withHints(`the cluster ${name} does not run`, startHint('start it', cluster))
    : withHints(`there is no cluster ${name} in ${dataDirectory}`, startHint('create it', cluster))
}

/** Returns the shell line that calls a command of `proa image` for the same runtime. */
export function imageLine(flags: ImageFlags, command: string): string {
  const endpoint = flags['container-runtime-endpoint']
  if (endpoint === undefined) return proaLine(`image ${command}`, findCluster(flags))
  return `${proaCommand()} image ${command} --container-runtime-endpoint ${quoted(endpoint)}`
}

function unusable({ socket, stopped }: FoundRuntime, { code, description }: CriError): string {
  if (/EACCES/.test(description)) return `only root may use the containerd at ${socket}; run this command with sudo`
  if (stopped) return notRunning(stopped)
  if (code === 'Unimplemented')
    return `the containerd at ${socket} does not serve Kubernetes; its plugin "cri" is disabled`
  return `containerd does not respond at ${socket}: ${description}`
}

/** Imports images into the runtime. Resolves with their names when pods can use them. */
export async function addImages(runtime: ImageRuntime, images: readonly PackedImage[]): Promise<string[]> {
  await importImages(runtime, { images, clock: systemClock })
  const names = images.flatMap((image) => image.names)
  await waitUntilVisible(runtime.client, names, systemClock)
  return names
}
