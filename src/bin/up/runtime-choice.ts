import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { Progress } from './progress.js'

/** What runs the containers of a node, and how it ends. */
export interface NodeRuntime {
  readonly runtime: ContainerRuntime
  /** As a person is told about it. */
  readonly description: string
  /** Where it looks for the network configuration of pods; undefined where it has a network of its own. */
  readonly networkFolder: string | undefined
  readonly isSimulated: boolean
  /** Set where `proa/hello` is pulled like any other image: brings it before somebody asks for it. */
  readonly fetchHello?: () => void
  /** Containers run on. */
  close(): Promise<void>
}

export interface RuntimeOptions {
  readonly environment: Environment
  /** The cluster's. */
  readonly folder: string
  readonly progress: Progress
}

export type RuntimeName = 'auto' | 'containerd' | 'simulated'

export const hostContainerdSocket = '/run/containerd/containerd.sock'
const hostNetworkFolder = '/etc/cni/net.d'

/** Where the cluster's own containerd has its things. */
export const containerdFolder = (folder: string) => join(folder, 'containerd')

/**
 * `auto`: the machine's containerd where there is one that can run pods; else one of our own, for which packages are installed where
 * that can be done; else a simulated one. What is taken, and why nothing better, is said.
 */
export async function chooseRuntime(name: RuntimeName, request: RuntimeOptions): Promise<NodeRuntime> {
  if (name === 'simulated') return simulated(request)
  const machines = existsSync(containerdFolder(request.folder)) ? undefined : await hostContainerd(request)
  if (machines) return machines
  if (name === 'containerd') return privateContainerd(request)
  const { findPrograms } = await import('../../cri/containerd/programs.js')
  const { installObstacle: whyNotInstalled } = await import('../../cri/containerd/packages.js')
  const programs = findPrograms()
  const isRoot = process.getuid?.() === 0
  const obstacle = isRoot ? 'missing' in programs && whyNotInstalled() : 'running containers takes root'
  if (!obstacle) return privateContainerd(request)
  const missing = 'missing' in programs ? `, and ${programs.missing.join(', ')} must be installed` : ''
  request.progress.report('note', `containers are only simulated here: ${obstacle}${missing}`)
  return simulated(request)
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
    // Docker brings a containerd that is told to run no pods.
    environment.log.debug('the containerd of this machine runs no pods', { error })
    runtime.close()
    return undefined
  }
}

async function privateContainerd({ environment, folder, progress }: RuntimeOptions): Promise<NodeRuntime> {
  const { startContainerd } = await import('../../cri/containerd/containerd.js')
  const { findPrograms } = await import('../../cri/containerd/programs.js')
  const place = containerdFolder(folder)
  if ('missing' in findPrograms()) progress.waitFor('installing containerd from the distribution’s packages')
  const containerd = await startContainerd({ folder: place, environment, install: true })
  const { serveHelloImage: offerHello } = await import('./hello-registry.js')
  const [hello, { runtimeVersion }] = await Promise.all([
    offerHello(containerd, environment),
    containerd.runtime.version({}),
  ])
  return {
    runtime: containerd.runtime,
    description: `containerd ${runtimeVersion}, a private one in ${place}`,
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
