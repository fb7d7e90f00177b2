import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { Progress } from './progress.js'

/** The container runtime of a node. */
export interface NodeRuntime {
  readonly runtime: ContainerRuntime
  /** The text that `up` and `status` show. */
  readonly description: string
  /** Its folder of CNI configurations. Undefined if it has a network of its own. */
  readonly networkFolder: string | undefined
  readonly isSimulated: boolean
  /** Pulls `proa/hello` before a pod needs it. Set if the runtime pulls that image from this process. */
  readonly fetchHello?: () => void
  /** Stops the runtime. Containers keep running. */
  close(): Promise<void>
}

export interface RuntimeOptions {
  readonly environment: Environment
  /** The data directory of the cluster. */
  readonly folder: string
  readonly progress: Progress
}

export type RuntimeName = 'auto' | 'containerd' | 'simulated'

export const hostContainerdSocket = '/run/containerd/containerd.sock'
const hostNetworkFolder = '/etc/cni/net.d'

/** The folder of the cluster's private containerd. */
export const containerdFolder = (folder: string) => join(folder, 'containerd')

/**
 * `auto` uses the host's containerd if it can run pods; otherwise a private one, for which it installs packages if possible; otherwise a
 * simulated one. Reports the reason if containers are only simulated.
 */
export async function chooseRuntime(name: RuntimeName, options: RuntimeOptions): Promise<NodeRuntime> {
  if (name === 'simulated') return simulated(options)
  const existing = existsSync(containerdFolder(options.folder)) ? undefined : await hostContainerd(options)
  if (existing) return existing
  if (name === 'containerd') return privateContainerd(options)
  const { findPrograms } = await import('../../cri/containerd/programs.js')
  const { installObstacle } = await import('../../cri/containerd/packages.js')
  const programs = findPrograms()
  const isRoot = process.getuid?.() === 0
  const obstacle = isRoot ? 'missing' in programs && installObstacle() : 'only root can run containers'
  if (!obstacle) return privateContainerd(options)
  const missing = 'missing' in programs ? `, and ${programs.missing.join(', ')} must be installed` : ''
  options.progress.report('note', `containers are only simulated here: ${obstacle}${missing}`)
  return simulated(options)
}

async function hostContainerd({ environment }: RuntimeOptions): Promise<NodeRuntime | undefined> {
  if (!existsSync(hostContainerdSocket) || process.getuid?.() !== 0) return undefined
  const { connectCri } = await import('../../cri/client.js')
  const runtime = connectCri({ endpoint: `unix://${hostContainerdSocket}`, environment })
  try {
    const { runtimeName, runtimeVersion } = await runtime.version({}, { timeout: 2000 })
    return {
      runtime,
      description: `${runtimeName} ${runtimeVersion}, that of the machine`,
      networkFolder: hostNetworkFolder,
      isSimulated: false,
      close: async () => runtime.close(),
    }
  } catch (error) {
    // Docker installs a containerd whose CRI plugin is disabled.
    environment.log.debug('containerd of the host does not serve CRI', { error })
    runtime.close()
    return undefined
  }
}

async function privateContainerd({ environment, folder, progress }: RuntimeOptions): Promise<NodeRuntime> {
  const { startContainerd } = await import('../../cri/containerd/containerd.js')
  const { findPrograms } = await import('../../cri/containerd/programs.js')
  const privateFolder = containerdFolder(folder)
  if ('missing' in findPrograms()) progress.waitFor('installing containerd from the distribution’s packages')
  const containerd = await startContainerd({ folder: privateFolder, environment, install: true })
  const { serveHelloImage: offerHello } = await import('./hello-registry.js')
  const [hello, { runtimeVersion }] = await Promise.all([
    offerHello(containerd, environment),
    containerd.runtime.version({}),
  ])
  return {
    runtime: containerd.runtime,
    description: `containerd ${runtimeVersion}, a private one in ${privateFolder}`,
    networkFolder: containerd.networkFolder,
    isSimulated: false,
    ...(hello && { fetchHello: () => hello.fetch() }),
    async close() {
      await hello?.close()
      await containerd.close({ containers: 'keep' })
    },
  }
}

async function simulated({ environment }: RuntimeOptions): Promise<NodeRuntime> {
  const { simulatedRuntime } = await import('../../cri/simulated/simulated-runtime.js')
  const { inProcessRuntime } = await import('../../cri/in-process.js')
  const implementation = await simulatedRuntime({ environment })
  return {
    runtime: inProcessRuntime(implementation, { environment }),
    description: 'simulated containers',
    networkFolder: undefined,
    isSimulated: true,
    close: () => implementation.close(),
  }
}
