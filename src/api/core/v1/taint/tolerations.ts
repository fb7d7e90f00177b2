/** Decides which taints a pod tolerates. Used by the scheduler, kubelet and controllers. */
import type { Taint, TaintEffect, Toleration } from '../taint.js'

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = '', operator = 'Equal', value = '', effect } = toleration
  if (effect && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  if (operator === 'Exists') return true
  return operator === 'Equal' && key !== '' && value === (taint.value ?? '')
}

/** The first taint with one of these effects that is not tolerated. */
export function untoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly TaintEffect[],
): Taint | undefined {
  return taints?.find(
    (taint) => effects.includes(taint.effect) && !tolerations?.some((toleration) => tolerates(toleration, taint)),
  )
}

/** Adds a toleration: replaces one for the same taints, or appends it. */
export function withToleration(tolerations: readonly Toleration[], added: Toleration): readonly Toleration[] {
  const position = tolerations.findIndex((other) => isOfSameTaints(other, added))
  return position < 0 ? [...tolerations, added] : tolerations.with(position, added)
}

function isOfSameTaints(left: Toleration, right: Toleration): boolean {
  const fields = ['key', 'operator', 'value', 'effect'] as const
  return fields.every((field) => (left[field] ?? '') === (right[field] ?? ''))
}
