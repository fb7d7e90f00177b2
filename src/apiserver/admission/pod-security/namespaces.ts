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
} from './policy.js'
import type { PodSecurityStandards } from './standards.js'

export interface NamespaceCheckContext {
  readonly pods: ObjectLookup<Pod>
  readonly defaults: PodSecurityPolicy
  readonly exemptions: Exemptions
  readonly standards: PodSecurityStandards
}

/** Rejects invalid labels of a namespace, and warns about existing pods that violate a stricter level. */
export function checkNamespace(
  request: AdmissionRequest,
  { pods, defaults, exemptions, standards }: NamespaceCheckContext,
): void {
  const { metadata } = request.object as Namespace
  const name = metadata.name ?? ''
  const next = readNamespacePolicy(metadata.labels, defaults)
  const before = readNamespacePolicy(request.old?.metadata.labels, defaults)
  const isNewError = request.operation === 'CREATE' || String(next.errors) !== String(before.errors)
  if (next.errors.length > 0 && isNewError) throw invalid({ group: '', kind: 'Namespace' }, name, next.errors)
  if (exemptions.includeNamespace(name)) {
    if (!isUnlimited(next.policy) && !isSamePolicy(next.policy, defaults))
      request.warn(
        `namespace ${quote(name)} is exempt from Pod Security, and the policy (${policyText(next.policy)}) will be ignored`,
      )
    return
  }
  if (request.operation === 'CREATE' || !isStricter(next.policy.enforce, before.policy.enforce)) return
  const existing = pods.list(name)
  for (const warning of existingWarnings(existing, { name, level: next.policy.enforce, exemptions, standards }))
    request.warn(warning)
}

interface StricterLevel {
  readonly name: string
  readonly level: LevelVersion
  readonly exemptions: Exemptions
  readonly standards: PodSecurityStandards
}

/** Upper bound of pods that are checked when a namespace becomes stricter. */
const maxCheckedPods = 3000

function existingWarnings(
  all: readonly Pod[],
  { name, level, exemptions, standards }: StricterLevel,
): readonly string[] {
  const byReason = new Map<string, string[]>()
  for (const pod of all.slice(0, maxCheckedPods)) {
    if (exemptions.includePod(pod)) continue
    const reason = reasonText(standards.violations(level, pod))
    if (reason === '') continue
    const names = byReason.get(reason)
    if (names) names.push(pod.metadata.name!)
    else byReason.set(reason, [pod.metadata.name!])
  }
  const reasons = [...byReason].map(([reason, names]) => `${podsText(names)}: ${reason}`).sort()
  const title = `existing pods in namespace ${quote(name)} violate the new PodSecurity enforce level ${quote(levelText(level))}`
  return [
    ...(all.length > maxCheckedPods
      ? [
          `new PodSecurity enforce level only checked against the first ${maxCheckedPods} of ${all.length} existing pods`,
        ]
      : []),
    ...(reasons.length > 0 ? [title] : []),
    ...reasons,
  ]
}

/** Pods are sorted by name. */
function podsText([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first
  return others.length === 1 ? `${first} (and 1 other pod)` : `${first} (and ${others.length} other pods)`
}
