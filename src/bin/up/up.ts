import { systemClock } from '../../base/clock.js'
import type { ApiServerFlags } from '../apiserver-flags.js'
import { apiServerOptions } from '../apiserver-flags.js'
import { command } from '../command.js'
import { type LoopFlags, loopOptions } from '../loop-flags.js'
import { untilStopped } from '../signals.js'
import { surroundings } from '../surroundings.js'
import { clusterPlace, freePodRange } from './cluster-place.js'
import { clusterFolder, readRecord, removeRecord, writeRecord } from './cluster-record.js'
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
  const folder = clusterFolder(flags.name, flags['data-dir'])
  const running = readRecord(folder)
  if (running)
    throw new Error(
      `the cluster ${flags.name} runs already, as process ${running.pid}; proa status shows it, and proa down ends it`,
    )
  if (flags.detach) return detach(folder)
  const cluster = await Cluster.start(flags, folder)
  tellParent()
  await untilStopped()
  new Progress().say('\nStopping …')
  await cluster.close()
}

/** All that `up` starts, in order, and how it ends. */
class Cluster {
  readonly #folder: string
  readonly #plane: ControlPlane
  readonly #nodes: NodesOfCluster

  private constructor(folder: string, plane: ControlPlane, nodes: NodesOfCluster) {
    this.#folder = folder
    this.#plane = plane
    this.#nodes = nodes
  }

  static async start(flags: UpFlags, folder: string): Promise<Cluster> {
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
    const cluster = new Cluster(folder, plane, nodes)
    try {
      await cluster.#join(flags, progress, seconds)
      return cluster
    } catch (error) {
      await cluster.close()
      throw error
    }
  }

  async #join(flags: UpFlags, progress: Progress, seconds: () => string): Promise<void> {
    const { server } = this.#plane
    const folder = this.#folder
    const nodes = this.#nodes
    progress.tell('control plane', `${server.url}, after ${seconds()}; its data is in ${folder}`)
    const records = await nodes.join(server)
    writeRecord(folder, { url: server.url, kubeconfig: server.kubeconfig, context: flags.name, nodes: records })
    for (const { name, runtime } of records) progress.tell('node', `${name}: ${runtime}, after ${seconds()}`)
    await tellKubeconfig(flags, server.kubeconfig, progress)
    progress.say(nextSteps(flags, nodes.firstSteps()))
    nodes.fetchHello()
  }

  async close(): Promise<void> {
    await this.#nodes.close()
    await this.#plane.close()
    removeRecord(this.#folder)
  }
}

async function tellKubeconfig(flags: UpFlags, from: string | undefined, progress: Progress): Promise<void> {
  if (from === undefined) return
  if (flags.kubeconfig === '-') return progress.tell('kubeconfig', from)
  const file = await addContext({ name: flags.name, from, to: flags.kubeconfig })
  progress.tell('kubeconfig', `${file}, context ${flags.name} (now the current one)`)
}

function nextSteps({ name }: UpFlags, firstSteps: string | undefined): string {
  const which = name === upFlags.name.defaultText ? '' : ` --name ${name}`
  const first = firstSteps === undefined ? '' : `\n  ${firstSteps}`
  return `\nNow type (kubectl is any kubectl, or proa kubectl):${first}
  kubectl get pods --all-namespaces --watch

Ctrl-C stops it; pods run on, and proa up${which} finds them again. proa down${which} ends the pods, too.`
}
