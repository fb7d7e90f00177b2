import type { Namespace } from '../../../api/core/v1/namespace.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { invalid } from '../../../api/errors.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'
import type { ObjectLookup } from '../lookup.js'
import type { Exemptions } from './exemptions.js'
import {
  isSamePolicy,
  isStricter,
  isUnlimited,
  type LevelVersion,
  levelText,
  type PodSecurityPolicy,
  policyText,
  readNamespacePolicy,
  reasonText,
  violations,
} from './policy.js'

export interface NamespaceCheckContext {
  readonly pods: ObjectLookup<Pod>
  readonly defaults: PodSecurityPolicy
  readonly exemptions: Exemptions
}

/** A namespace that asks more of its pods than before is told which of them do not do it. */
export function checkNamespace(request: AdmissionRequest, { pods, defaults, exemptions }: NamespaceCheckContext): void {
  const { metadata } = request.object as Namespace
  const name = metadata.name ?? ''
  const next = readNamespacePolicy(metadata.labels, defaults)
  const before = readNamespacePolicy(request.old?.metadata.labels, defaults)
  const isNews = request.operation === 'CREATE' || String(next.errors) !== String(before.errors)
  if (next.errors.length > 0 && isNews) throw invalid({ group: '', kind: 'Namespace' }, name, next.errors)
  if (exemptions.haveNamespace(name)) {
    if (!isUnlimited(next.policy) && !isSamePolicy(next.policy, defaults))
      request.warn(
        `namespace ${quote(name)} is exempt from Pod Security, and the policy (${policyText(next.policy)}) will be ignored`,
      )
    return
  }
  if (request.operation === 'CREATE' || !isStricter(next.policy.enforce, before.policy.enforce)) return
  const existing = pods.list(name)
  for (const warning of existingWarnings(existing, { name, level: next.policy.enforce, exemptions }))
    request.warn(warning)
}

interface Tightening {
  readonly name: string
  readonly level: LevelVersion
  readonly exemptions: Exemptions
}

/** No more pods are looked at when a namespace becomes stricter. */
const mostPods = 3000

function existingWarnings(all: readonly Pod[], { name, level, exemptions }: Tightening): readonly string[] {
  const byReason = new Map<string, string[]>()
  for (const pod of all.slice(0, mostPods)) {
    if (exemptions.havePod(pod)) continue
    const reason = reasonText(violations(level, pod))
    if (reason === '') continue
    const names = byReason.get(reason)
    if (names) names.push(pod.metadata.name!)
    else byReason.set(reason, [pod.metadata.name!])
  }
  const told = [...byReason].map(([reason, names]) => `${podsText(names)}: ${reason}`).sort()
  const title = `existing pods in namespace ${quote(name)} violate the new PodSecurity enforce level ${quote(levelText(level))}`
  return [
    ...(all.length > mostPods
      ? [`new PodSecurity enforce level only checked against the first ${mostPods} of ${all.length} existing pods`]
      : []),
    ...(told.length > 0 ? [title] : []),
    ...told,
  ]
}

/** Pods come in the order of their names. */
function podsText([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first
  return others.length === 1 ? `${first} (and 1 other pod)` : `${first} (and ${others.length} other pods)`
}
