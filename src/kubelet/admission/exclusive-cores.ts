import type { Pod } from '../../api/core/v1/pod.js'
import { exclusiveCount, inStartOrder } from '../cpus/exclusive-cpus.js'
import type { PodFailure } from '../status/pod-status-input.js'
import { type PodAdmission, podRejection } from './pod-admission.js'

/** Rejects a pod for which too few exclusive CPUs are free (static CPU manager policy). */
export function exclusiveCoresRejection({
  pod,
  others,
  context: { wholeCores },
}: PodAdmission): PodFailure | undefined {
  if (wholeCores === undefined) return undefined
  const taken = others.reduce((sum, other) => sum + allotment(other, Number.POSITIVE_INFINITY).taken, 0)
  const { missing } = allotment(pod, wholeCores - taken)
  return missing && unexpected(missing)
}

interface Allotment {
  /** CPUs that the pod uses alone. */
  readonly taken: number
  /** Set if a container cannot get its CPUs. */
  readonly missing?: { readonly wanted: number; readonly available: number }
}

/** Counts in start order. CPUs of an init container are reused by later containers. */
function allotment(pod: Pod, free: number): Allotment {
  let taken = 0
  let reusable = 0
  for (const { container, isBrief } of inStartOrder(pod)) {
    const wanted = exclusiveCount(pod, container)
    const available = free - taken + reusable
    if (wanted > available) return { taken, missing: { wanted, available } }
    const reused = Math.min(wanted, reusable)
    taken += wanted - reused
    reusable = isBrief ? Math.max(wanted, reusable) : reusable - reused
  }
  return { taken }
}

function unexpected({ wanted, available }: { readonly wanted: number; readonly available: number }): PodFailure {
  const why = `not enough cpus available to satisfy request: requested=${wanted}, available=${available}`
  return podRejection('UnexpectedAdmissionError', `Allocate failed due to ${why}, which is unexpected`)
}
