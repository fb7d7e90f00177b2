import { Binding } from 'proa/api/core/v1/binding'
import { Node } from 'proa/api/core/v1/node'
import { Pod } from 'proa/api/core/v1/pod'
import { type Client, type Environment, eventRecorder, hasReason, Informers } from 'proa/client'

export interface ExampleOptions {
  readonly client: Client
  readonly environment: Environment
  /** Pods that have this as their `schedulerName` are placed; all others are somebody else's. */
  readonly name: string
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Fills one node after the other: of those that have a place left, the one with the most pods is taken. */
export async function runExampleScheduler({ client, environment, name, signal }: ExampleOptions): Promise<void> {
  await using informers = new Informers(client, environment)
  const events = eventRecorder(client, { component: name }, environment)
  const [pods, nodes] = [informers.of(Pod), informers.of(Node)]
  await informers.synced()
  const placed = new Map<string, string>() // by uid; what was said already and the informer may not know yet
  const nodeOf = ({ metadata, spec }: Pod) => spec.nodeName || placed.get(metadata.uid!)
  const news = new News(signal)
  pods.onChange(news.come)
  nodes.onChange(news.come)

  const choose = (): Node | undefined => {
    const counts = new Map<string, number>()
    for (const pod of pods.list()) counts.set(nodeOf(pod) ?? '', (counts.get(nodeOf(pod) ?? '') ?? 0) + 1)
    const count = ({ metadata }: Node) => counts.get(metadata.name!) ?? 0
    return [...nodes.list()]
      .filter((node) => isUsable(node) && count(node) < Number(node.status?.allocatable?.pods ?? 0))
      .sort((left, right) => count(right) - count(left) || (left.metadata.name! < right.metadata.name! ? -1 : 1))[0]
  }

  for await (const _ of news) {
    for (const pod of [...pods.list()]) {
      const { metadata, spec } = pod
      if (spec.nodeName) placed.delete(metadata.uid!)
      const isWaiting = spec.schedulerName === name && !nodeOf(pod) && !metadata.deletionTimestamp
      const node = isWaiting && !spec.schedulingGates?.length ? choose() : undefined
      if (node && (await bind(client, pod, node.metadata.name!))) {
        placed.set(metadata.uid!, node.metadata.name!)
        const message = `Successfully assigned ${metadata.namespace}/${metadata.name} to ${node.metadata.name}`
        events.record({ about: pod, type: 'Normal', reason: 'Scheduled', message })
      }
    }
  }
  await events.close()
}

function isUsable({ spec, status }: Node): boolean {
  const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')
  const isTainted = spec?.taints?.some(({ effect }) => effect !== 'PreferNoSchedule')
  return !spec?.unschedulable && !isTainted && isReady === true
}

/** Says to the API server where the pod goes. False if somebody else was faster, or the pod is gone. */
async function bind(client: Client, { metadata }: Pod, nodeName: string): Promise<boolean> {
  const { name, namespace, uid } = metadata
  const target = { apiVersion: 'v1', kind: 'Node', name: nodeName }
  const bindings = client.resource(Pod).in(namespace!).subresource('binding', Binding)
  try {
    await bindings.create({ metadata: { name: name!, namespace: namespace!, uid: uid! }, target })
    return true
  } catch (error) {
    if (hasReason(error, 'Conflict') || hasReason(error, 'NotFound')) return false
    throw error
  }
}

/** Wakes up whoever waits, once for everything that happened since he last looked. Ends with the signal. */
class News {
  readonly #signal: AbortSignal
  #isNew = true
  #wake: (() => void) | undefined

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', this.come, { once: true })
  }

  readonly come = (): void => {
    this.#isNew = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<void> {
    while (!this.#signal.aborted) {
      if (!this.#isNew)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      this.#isNew = false
      if (!this.#signal.aborted) yield
    }
  }
}
