import { systemClock } from '../../base/clock.js'
import type { ApiServerFlags } from '../apiserver-flags.js'
import { apiServerOptions } from '../apiserver-flags.js'
import { type Cluster, findCluster } from '../cluster/cluster.js'
import { command } from '../command.js'
import { type LoopFlags, loopOptions } from '../loop-flags.js'
import { untilStopped } from '../signals.js'
import { surroundings } from '../surroundings.js'
import { clusterPlace, freePodRange } from './cluster-place.js'
import { readRecord, removeRecord, writeRecord } from './cluster-record.js'
import { type ControlPlane, startControlPlane } from './control-plane.js'
import { detach, tellParent } from './detach.js'
import { type UpFlags, upFlags } from './flags.js'
import { type NodesOfCluster, startNodes } from './nodes.js'
import { Progress } from './progress.js'
import { addContext } from './user-kubeconfig.js'

export const upCommand = command({
  name: 'up',
  about: `A whole cluster in one process: the store, the API server, the control loops, the scheduler, and this machine as a node.

Usage:
  proa up [flags]
`,
  flags: upFlags,
  run,
})

async function run(flags: UpFlags): Promise<void> {
  const cluster = findCluster(flags)
  const { name, dataDirectory: folder } = cluster
  const running = readRecord(folder)
  if (running)
    throw new Error(
      `the cluster ${name} runs already, as process ${running.pid}; proa status shows it, and proa down ends it`,
    )
  if (flags.detach) return detach(folder)
  const started = await RunningCluster.start(flags, cluster)
  tellParent()
  await untilStopped()
  new Progress().say('\nStopping …')
  await started.close()
}

/** All that `up` starts, in order, and how it ends. */
class RunningCluster {
  readonly #cluster: Cluster
  readonly #plane: ControlPlane
  readonly #nodes: NodesOfCluster

  private constructor(cluster: Cluster, plane: ControlPlane, nodes: NodesOfCluster) {
    this.#cluster = cluster
    this.#plane = plane
    this.#nodes = nodes
  }

  static async start(flags: UpFlags, cluster: Cluster): Promise<RunningCluster> {
    const folder = cluster.dataDirectory
    const begun = systemClock.monotonic()
    const seconds = () => `${((systemClock.monotonic() - begun) / 1000).toFixed(2)} s`
    const progress = new Progress()
    const environment = surroundings(flags.v, 'warn')
    const podRange = flags['cluster-cidr'] || freePodRange(clusterPlace(folder))
    const serverFlags: ApiServerFlags & LoopFlags = { ...flags, 'secure-port': flags.port, 'cluster-cidr': podRange }
    progress.waitFor('control plane')
    const nodes = startNodes({ environment, folder, flags, progress })
    const plane = await startControlPlane({
      environment,
      server: apiServerOptions(serverFlags, folder),
      controllers: flags.controllers,
      loops: (server) => loopOptions(serverFlags, { rootAuthority: server.authority, ...server.keys }),
    }).catch(async (error: unknown) => {
      await nodes.abandon()
      throw error
    })
    const running = new RunningCluster(cluster, plane, nodes)
    try {
      await running.#join(flags, progress, seconds)
      return running
    } catch (error) {
      await running.close()
      throw error
    }
  }

  async #join(flags: UpFlags, progress: Progress, seconds: () => string): Promise<void> {
    const { server } = this.#plane
    const { name: context, dataDirectory: folder } = this.#cluster
    const nodes = this.#nodes
    progress.tell('control plane', `${server.url}, after ${seconds()}; its data is in ${folder}`)
    const records = await nodes.join(server)
    writeRecord(folder, { url: server.url, kubeconfig: server.kubeconfig, context, nodes: records })
    for (const { name, runtime } of records) progress.tell('node', `${name}: ${runtime}, after ${seconds()}`)
    await tellKubeconfig({ ...flags, name: context }, server.kubeconfig, progress)
    progress.say(nextSteps(context, nodes.firstSteps()))
    nodes.fetchHello()
  }

  async close(): Promise<void> {
    await this.#nodes.close()
    await this.#plane.close()
    removeRecord(this.#cluster.dataDirectory)
  }
}

async function tellKubeconfig(
  flags: Pick<UpFlags, 'kubeconfig'> & { readonly name: string },
  from: string | undefined,
  progress: Progress,
): Promise<void> {
  if (from === undefined) return
  if (flags.kubeconfig === '-') return progress.tell('kubeconfig', from)
  const file = await addContext({ name: flags.name, from, to: flags.kubeconfig })
  progress.tell('kubeconfig', `${file}, context ${flags.name} (now the current one)`)
}

function nextSteps(name: string, firstSteps: string | undefined): string {
  const which = name === upFlags.name.defaultText ? '' : ` --name ${name}`
  const first = firstSteps === undefined ? '' : `\n  ${firstSteps}`
  return `\nNow type (kubectl is any kubectl, or proa kubectl):${first}
  kubectl get pods --all-namespaces --watch

Ctrl-C stops it; pods run on, and proa up${which} finds them again. proa down${which} ends the pods, too.`
}
