import type { PodCondition } from '../../../api/core/v1/pod/status.js'
import type { Pod } from '../../../api/core/v1/pod.js'

/** Sets a condition of a pod. The transition time changes only with the status. */
export function withPodCondition(pod: Pod, condition: PodCondition, time: string): Pod {
  const conditions = pod.status.conditions ?? []
  const before = conditions.find(({ type }) => type === condition.type)
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? time) : time
  const next = { ...condition, lastTransitionTime }
  const others = before ? conditions.map((one) => (one === before ? next : one)) : [...conditions, next]
  return { ...pod, status: { ...pod.status, conditions: others } }
}

export function isPodReady({ status }: Pod): boolean {
  return (status.conditions ?? []).some(({ type, status: holds }) => type === 'Ready' && holds === 'True')
}
