import type { PodStatus } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { Clock } from '../../base/clock.js'
import type { Client } from '../../client/client.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import { formatTime } from '../../schema/values/time.js'
import { hasEnded, isReady } from './readiness.js'

export interface FakeKubeletOptions {
  /** Milliseconds from creation to readiness. */
  readonly start: number
  /** Milliseconds from deletion until the pod is gone. */
  readonly stop: number
  /** Pods of these images never become ready. */
  readonly broken: readonly string[]
  readonly nodes: number
  /** On which node a pod runs; on each in turn unless given. */
  readonly nodeOf?: (pod: Pod) => string
  /** What becomes of a pod that runs, and after how long; it goes on running unless given. */
  readonly endOf?: (pod: Pod) => PodEnd | undefined
  /** Whether pods have addresses; they have none unless given. */
  readonly hasAddresses?: boolean
}

export interface PodEnd {
  readonly phase: 'Failed' | 'Succeeded'
  /** Milliseconds after it was ready. */
  readonly after: number
}

export interface FakeKubeletDependencies {
  readonly client: Client
  readonly informers: SharedInformers
  readonly clock: Clock
}

/** Does to pods what scheduler and kubelets do, as far as control loops see it. */
export class FakeKubelet {
  readonly #world: FakeKubeletDependencies
  /** When a pod was first seen, and when it was first seen going: by uid, in milliseconds. */
  readonly #seen = new Map<string, number>()
  #addresses = 0
  options: FakeKubeletOptions | undefined

  constructor(world: FakeKubeletDependencies) {
    this.#world = world
    world.informers.of(Pod) // has seen everything by the time it is asked
  }

  /** What is due by now; undefined if there is nothing to do. */
  tick(): Promise<void> | undefined {
    const { options } = this
    if (!options) return undefined
    const due = [...this.#world.informers.of(Pod).list()].filter((pod) => this.#isDue(pod, options))
    return due.length === 0 ? undefined : this.#attendAll(due.sort(byCreation), options)
  }

  async #attendAll(pods: readonly Pod[], options: FakeKubeletOptions): Promise<void> {
    for (const pod of pods)
      await this.#attend(pod, options).catch((error: unknown) => {
        // Somebody deleted it meanwhile.
        if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error
      })
  }

  #isDue(pod: Pod, options: FakeKubeletOptions): boolean {
    const { uid, deletionTimestamp } = pod.metadata
    if (deletionTimestamp) return this.#since(`${uid} going`) >= options.stop
    if (!pod.spec.nodeName) return true
    if (hasEnded(pod) || options.broken.includes(pod.spec.containers[0]!.image ?? '')) return false
    return this.#since(uid!) >= options.start && (!isReady(pod) || this.#end(pod, options) !== undefined)
  }

  /** How it ends by now, if it does. */
  #end(pod: Pod, { start, endOf }: FakeKubeletOptions): PodEnd | undefined {
    const end = endOf?.(pod)
    return end && this.#since(pod.metadata.uid!) >= start + end.after ? end : undefined
  }

  async #attend(pod: Pod, options: FakeKubeletOptions): Promise<void> {
    const { nodeOf = () => `node-${this.#seen.size % options.nodes}` } = options
    if (pod.metadata.deletionTimestamp) await this.remove(pod)
    else if (!pod.spec.nodeName) {
      this.#since(pod.metadata.uid!)
      await this.bind(pod, nodeOf(pod))
    } else if (isReady(pod)) await this.end(pod, this.#end(pod, options)!.phase)
    else await this.ready(pod)
  }

  #since(what: string): number {
    const now = this.#world.clock.now()
    const first = this.#seen.get(what) ?? now
    this.#seen.set(what, first)
    return now - first
  }

  async bind({ metadata }: Pod, node: string): Promise<void> {
    const target = { apiVersion: 'v1', kind: 'Node', name: node }
    const { client } = this.#world
    const place = { ...client.resource(Pod).location, plural: `pods/${metadata.name}/binding`, kind: 'Binding' }
    const binding = { metadata: { name: metadata.name!, namespace: metadata.namespace! }, target }
    await client.resource(place).create({ apiVersion: 'v1', kind: 'Binding', ...binding })
  }

  async ready(pod: Pod): Promise<void> {
    await this.#write(pod, 'Running', 'True')
  }

  async unready(pod: Pod): Promise<void> {
    await this.#write(pod, 'Running', 'False')
  }

  async end(pod: Pod, phase: 'Failed' | 'Succeeded'): Promise<void> {
    await this.#write(pod, phase, 'False')
  }

  async remove({ metadata }: Pod): Promise<void> {
    const pods = this.#world.client.resource(Pod).in(metadata.namespace!)
    await pods.delete(metadata.name!, { gracePeriodSeconds: 0 })
  }

  async #write(pod: Pod, phase: PodStatus['phase'], ready: 'True' | 'False'): Promise<void> {
    const lastTransitionTime = formatTime(this.#world.clock.now())
    const address = pod.status.podIP || !this.options?.hasAddresses ? undefined : this.#nextAddress()
    const status = {
      ...{ phase, conditions: [{ type: 'Ready', status: ready, lastTransitionTime }] },
      ...(address && { podIP: address, podIPs: [{ ip: address }] }),
    }
    const pods = this.#world.client.resource(Pod).in(pod.metadata.namespace!).subresource('status')
    await pods.patch(pod.metadata.name!, 'strategic', { status })
  }

  #nextAddress(): string {
    const number = ++this.#addresses
    return `10.244.${number >> 8}.${number & 255}`
  }
}

export function byCreation(left: Pod, right: Pod): number {
  return Number(left.metadata.resourceVersion) - Number(right.metadata.resourceVersion)
}
