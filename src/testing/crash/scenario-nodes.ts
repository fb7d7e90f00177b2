import { Lease } from '../../api/coordination/v1/lease.js'
import { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Clock } from '../../base/clock.js'
import type { Client } from '../../client/client.js'
import { nodeNameOf } from '../../controllers/daemonset/daemon-pod.js'
import { earlierFailures } from '../../controllers/job/tracked-pods.js'
import { FakeKubelet, type FakeKubeletDependencies, type PodEnd } from '../../controllers/pods/kubelet.test.kit.js'
import { formatMicroTime, formatTime } from '../../schema/values/time.js'

const leases = 'kube-node-lease'
/** Milliseconds from one sign of life of a node to the next. */
const heartbeat = 10_000

/** Milliseconds in which pods start and stop, and after which they end. */
export interface PodTimes {
  readonly start: number
  readonly run: number
  readonly stop: number
}

/** The nodes of the scripted day, and what runs on them. What becomes of a pod does not depend on chance, nor on the order of things. */
export class ScenarioNodes {
  readonly #client: Client
  readonly #clock: Clock
  readonly #kubelet: FakeKubelet
  readonly #lastHeard = new Map<string, number>()

  constructor(world: FakeKubeletDependencies, { start, run, stop }: PodTimes) {
    this.#client = world.client
    this.#clock = world.clock
    this.#kubelet = new FakeKubelet(world)
    this.#kubelet.options = {
      ...{ start, stop, broken: [], nodes: 1, hasAddresses: true },
      nodeOf: (pod) => nodeNameOf(pod) ?? 'node-0',
      endOf: (pod) => endOf(pod, run),
    }
  }

  async join(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#client.resource(Node).create({ metadata: { name } })
      await this.#sayReady(name)
      await this.#client.resource(Lease).create({ metadata: { name, namespace: leases }, spec: this.#sign(name) })
    }
  }

  async leave(name: string): Promise<void> {
    this.#lastHeard.delete(name)
    await this.#client.resource(Node).delete(name)
  }

  /** Does what is due by now. */
  async tick(): Promise<void> {
    for (const [name, last] of this.#lastHeard)
      if (this.#clock.now() - last >= heartbeat)
        await this.#client
          .resource(Lease)
          .in(leases)
          .patch(name, 'merge', { spec: this.#sign(name) })
    await this.#kubelet.tick()
  }

  #sign(name: string) {
    this.#lastHeard.set(name, this.#clock.now())
    const renewTime = formatMicroTime(this.#clock.now())
    return { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
  }

  async #sayReady(name: string): Promise<void> {
    const now = formatTime(this.#clock.now())
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      lastHeartbeatTime: now,
      lastTransitionTime: now,
    }
    const status = { conditions: [ready], allocatable: { pods: '110' }, capacity: { pods: '110' } }
    await this.#client.resource(Node).subresource('status').patch(name, 'strategic', { status })
  }
}

/** Said by the image. What stumbles does so at the first attempt at the second index. */
function endOf(pod: Pod, after: number): PodEnd | undefined {
  const image = pod.spec.containers[0]?.image
  if (image === 'fails') return { phase: 'Failed', after }
  if (image === 'succeeds') return { phase: 'Succeeded', after }
  if (image !== 'stumbles') return undefined
  const stumbles = pod.metadata.labels?.['batch.kubernetes.io/job-completion-index'] === '1'
  return { phase: stumbles && earlierFailures(pod).counted === 0 ? 'Failed' : 'Succeeded', after }
}
