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
/** Milliseconds between two lease renewals of a node. */
const heartbeat = 10_000

/** Milliseconds that pods take to start, run and stop. */
export interface PodTimes {
  readonly start: number
  readonly run: number
  readonly stop: number
}

/** The nodes of a scenario and their pods. The result of a pod depends on the pod alone, neither on random numbers nor on order. */
export class ScenarioNodes {
  readonly #client: Client
  readonly #clock: Clock
  readonly #kubelet: FakeKubelet
  readonly #lastRenewal = new Map<string, number>()

  constructor(dependencies: FakeKubeletDependencies, { start, run, stop }: PodTimes) {
    this.#client = dependencies.client
    this.#clock = dependencies.clock
    this.#kubelet = new FakeKubelet(dependencies)
    this.#kubelet.options = {
      ...{ start, stop, broken: [], nodes: 1, hasAddresses: true },
      nodeOf: (pod) => nodeNameOf(pod) ?? 'node-0',
      endOf: (pod) => endOf(pod, run),
    }
  }

  async join(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#client.resource(Node).create({ metadata: { name } })
      await this.#reportReady(name)
      await this.#client.resource(Lease).create({ metadata: { name, namespace: leases }, spec: this.#leaseSpec(name) })
    }
  }

  async leave(name: string): Promise<void> {
    this.#lastRenewal.delete(name)
    await this.#client.resource(Node).delete(name)
  }

  /** Renews leases and advances pods that are due. */
  async tick(): Promise<void> {
    for (const [name, last] of this.#lastRenewal)
      if (this.#clock.now() - last >= heartbeat)
        await this.#client
          .resource(Lease)
          .in(leases)
          .patch(name, 'merge', { spec: this.#leaseSpec(name) })
    await this.#kubelet.tick()
  }

  #leaseSpec(name: string) {
    this.#lastRenewal.set(name, this.#clock.now())
    const renewTime = formatMicroTime(this.#clock.now())
    return { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
  }

  async #reportReady(name: string): Promise<void> {
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

/** The image decides how a pod ends. `stumbles` fails at the first attempt of the second index. */
function endOf(pod: Pod, after: number): PodEnd | undefined {
  const image = pod.spec.containers[0]?.image
  if (image === 'fails') return { phase: 'Failed', after }
  if (image === 'succeeds') return { phase: 'Succeeded', after }
  if (image !== 'stumbles') return undefined
  const stumbles = pod.metadata.labels?.['batch.kubernetes.io/job-completion-index'] === '1'
  return { phase: stumbles && earlierFailures(pod).counted === 0 ? 'Failed' : 'Succeeded', after }
}
