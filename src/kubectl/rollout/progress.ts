import type { JsonObject } from '../../schema/declaration.js'
import { objectIn, stringIn } from '../../schema/json-value.js'
import { metadataOf } from '../resources/resource-object.js'

/** The progress of a rollout, in upstream's words. */
export interface RolloutProgress {
  readonly message: string
  readonly isOver: boolean
}

type ReadProgress = (object: JsonObject) => RolloutProgress

const readers: Readonly<Record<string, ReadProgress>> = {
  'deployments.apps': deploymentProgress,
  'daemonsets.apps': daemonSetProgress,
  'statefulsets.apps': statefulSetProgress,
}

export function progressOf(resource: string): ReadProgress | undefined {
  return Object.hasOwn(readers, resource) ? readers[resource] : undefined
}

function numbers(object: JsonObject) {
  const status = objectIn(object, 'status') ?? {}
  const spec = objectIn(object, 'spec') ?? {}
  const count = (name: string) => Number(status[name] ?? 0)
  const isObserved = (metadataOf(object).generation ?? 0) <= count('observedGeneration')
  return { status, spec, count, isObserved, name: metadataOf(object).name ?? '' }
}

const going = (message: string): RolloutProgress => ({ message, isOver: false })
const over = (message: string): RolloutProgress => ({ message, isOver: true })

function deploymentProgress(object: JsonObject): RolloutProgress {
  const { status, spec, count, isObserved, name } = numbers(object)
  if (!isObserved) return going('Waiting for deployment spec update to be observed...\n')
  const conditions = (status.conditions ?? []) as readonly { type: string; reason?: string }[]
  if (conditions.some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded'))
    throw new Error(`deployment "${name}" exceeded its progress deadline`)
  const wanted = Number(spec.replicas ?? 1)
  const [updated, all, available] = [count('updatedReplicas'), count('replicas'), count('availableReplicas')]
  const waiting = (text: string) => going(`Waiting for deployment "${name}" rollout to finish: ${text}...\n`)
  if (updated < wanted) return waiting(`${updated} out of ${wanted} new replicas have been updated`)
  if (all > updated) return waiting(`${all - updated} old replicas are pending termination`)
  if (available < updated) return waiting(`${available} of ${updated} updated replicas are available`)
  return over(`deployment "${name}" successfully rolled out\n`)
}

function daemonSetProgress(object: JsonObject): RolloutProgress {
  const { spec, count, isObserved, name } = numbers(object)
  const type = stringIn(objectIn(spec, 'updateStrategy'), 'type')
  if (type !== 'RollingUpdate') throw new Error(`rollout status is only available for RollingUpdate strategy type`)
  if (!isObserved) return going('Waiting for daemon set spec update to be observed...\n')
  const [updated, wanted, available] = [
    count('updatedNumberScheduled'),
    count('desiredNumberScheduled'),
    count('numberAvailable'),
  ]
  const waiting = (text: string) => going(`Waiting for daemon set "${name}" rollout to finish: ${text}...\n`)
  if (updated < wanted) return waiting(`${updated} out of ${wanted} new pods have been updated`)
  if (available < wanted) return waiting(`${available} of ${wanted} updated pods are available`)
  return over(`daemon set "${name}" successfully rolled out\n`)
}

function statefulSetProgress(object: JsonObject): RolloutProgress {
  const { status, spec, count, isObserved } = numbers(object)
  const strategy = objectIn(spec, 'updateStrategy') ?? {}
  if (strategy.type !== 'RollingUpdate')
    throw new Error(`rollout status is only available for RollingUpdate strategy type`)
  if (count('observedGeneration') === 0 || !isObserved)
    return going('Waiting for statefulset spec update to be observed...\n')
  const wanted = Number(spec.replicas ?? 1)
  if (count('readyReplicas') < wanted)
    return going(`Waiting for ${wanted - count('readyReplicas')} pods to be ready...\n`)
  const partition = Number(objectIn(strategy, 'rollingUpdate')?.partition ?? 0)
  if (partition > 0) {
    const fresh = wanted - partition
    if (count('updatedReplicas') < fresh)
      return going(
        `Waiting for partitioned roll out to finish: ${count('updatedReplicas')} out of ${fresh} new pods have been updated...\n`,
      )
    return over(`partitioned roll out complete: ${count('updatedReplicas')} new pods have been updated...\n`)
  }
  if (status.updateRevision !== status.currentRevision)
    return going(
      `waiting for statefulset rolling update to complete ${count('updatedReplicas')} pods at revision ${stringIn(status, 'updateRevision')}...\n`,
    )
  return over(
    `statefulset rolling update complete ${count('currentReplicas')} pods at revision ${stringIn(status, 'currentRevision')}...\n`,
  )
}
