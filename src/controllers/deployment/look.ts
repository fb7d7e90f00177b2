import { Deployment, type DeploymentStatus } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { JsonValue } from '../../schema/declaration.js'
import { sameJson } from '../../schema/json-value.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { conditionNow, type Said, withCondition } from './conditions.js'
import { sizeOf } from './replica-sets.js'
import { type Annotations, sizeAnnotations } from './revisions.js'

/** One look at a Deployment: what it knows of it, which is always as it was last written. */
export class Look {
  readonly context: ReconcileContext
  #deployment: Deployment

  constructor(deployment: Deployment, context: ReconcileContext) {
    this.#deployment = deployment
    this.context = context
  }

  get deployment(): Deployment {
    return this.#deployment
  }

  get now(): number {
    return this.context.environment.clock.now()
  }

  get #namespace(): string {
    return this.#deployment.metadata.namespace!
  }

  /** Writes the status, and annotations with it, if that changes anything. */
  async writeStatus(status: DeploymentStatus, annotations?: Annotations): Promise<void> {
    const { metadata } = this.#deployment
    const given = annotations ?? metadata.annotations ?? {}
    const isSame = (left: unknown, right: unknown) => sameJson(left as JsonValue, right as JsonValue)
    if (isSame(status, this.#deployment.status) && isSame(given, metadata.annotations ?? {})) return
    const statuses = this.context.client.resource(Deployment).in(this.#namespace).subresource('status')
    const changed = { ...this.#deployment, metadata: { ...metadata, annotations: given }, status }
    this.#deployment = await statuses.update(changed)
  }

  /** The status with one more condition; not written yet. */
  statusWith(said: Said): DeploymentStatus {
    const { status } = this.#deployment
    return { ...status, conditions: withCondition(status.conditions ?? [], conditionNow(said, this.now)) }
  }

  /** Writes the Deployment itself. */
  async write(changed: Deployment): Promise<void> {
    this.#deployment = await this.context.client.resource(Deployment).in(this.#namespace).update(changed)
  }

  /** Gives a ReplicaSet another size, notes how large the Deployment is, and tells of it. Gives it as it is then. */
  async scale(replicaSet: ReplicaSet, size: number): Promise<ReplicaSet> {
    const before = sizeOf(replicaSet)
    const annotations = { ...replicaSet.metadata.annotations, ...sizeAnnotations(this.#deployment) }
    const isNoted = sameJson(annotations, replicaSet.metadata.annotations ?? {})
    if (before === size && isNoted) return replicaSet
    const { metadata, spec } = replicaSet
    const changed = { ...replicaSet, metadata: { ...metadata, annotations }, spec: { ...spec, replicas: size } }
    const scaled = await this.context.client.resource(ReplicaSet).in(this.#namespace).update(changed)
    if (before !== size) this.tellScaled(scaled, before, size)
    return scaled
  }

  tellScaled({ metadata: { name } }: ReplicaSet, before: number, size: number): void {
    const direction = size > before ? 'up' : 'down'
    this.tell('Normal', 'ScalingReplicaSet', `Scaled ${direction} replica set ${name} from ${before} to ${size}`)
  }

  tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.context.events.record({ about: this.#deployment, type, reason, message })
  }
}
