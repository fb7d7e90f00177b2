import type { Draft } from '../../../../schema/infer.js'
import type { StrategyContext } from '../../../../schema/strategy.js'
import { isSame } from '../../../validation/immutability.js'
import { mergeLabelKeys } from '../affinity/match-label-keys.js'
import type { Affinity, PodAffinityTerm } from '../affinity.js'
import type { Container } from '../container.js'
import type { Pod } from '../pod.js'
import { appArmorPrefix, appArmorProfileOf } from '../security-context/app-armor-annotations.js'
import { hasKeyUnder } from '../security-context/profile-agreement.js'
import { dropDisabledPodFields } from './disabled-fields.js'
import { qosClassOf } from './qos.js'
import type { PodSpec } from './spec.js'

/** Sets the initial status of a pod to Pending, whatever the client sent. */
export function preparePod(pod: Draft<Pod>, { time }: StrategyContext): void {
  dropDisabledPodFields(pod.spec)
  pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec as PodSpec) }
  if (pod.spec.schedulingGates?.length) markGated(pod, time)
  mergeOwnLabels(pod.spec, pod.metadata.labels ?? {})
  takeAppArmorProfiles(pod)
}

function markGated(pod: Draft<Pod>, time: string): void {
  pod.status.conditions = [
    {
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null as never,
      lastTransitionTime: time,
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    },
  ]
}

type Labels = Readonly<Record<string, string>>

function mergeOwnLabels({ affinity, topologySpreadConstraints = [] }: Draft<PodSpec>, labels: Labels): void {
  for (const term of podTerms(affinity)) {
    if (!term.labelSelector) continue
    mergeLabelKeys(term.labelSelector, term.matchLabelKeys, { operator: 'In', labels })
    mergeLabelKeys(term.labelSelector, term.mismatchLabelKeys, { operator: 'NotIn', labels })
  }
  for (const { labelSelector, matchLabelKeys } of topologySpreadConstraints)
    if (labelSelector) mergeLabelKeys(labelSelector, matchLabelKeys, { operator: 'In', labels })
}

function podTerms(affinity: Draft<Affinity> | undefined): readonly Draft<PodAffinityTerm>[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((one) => [
    ...(one?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ...(one?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ])
}

/** Copies AppArmor profiles from annotations to containers without a profile. */
function takeAppArmorProfiles({ metadata, spec }: Draft<Pod>): void {
  if (!hasKeyUnder(metadata.annotations, appArmorPrefix) || spec.os?.name === 'windows') return
  const ofPod = spec.securityContext?.appArmorProfile
  for (const container of allContainers(spec)) {
    const annotation = metadata.annotations![appArmorPrefix + container.name]
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue
    const profile = appArmorProfileOf(annotation)
    if (profile && !isSame(profile, ofPod))
      container.securityContext = { ...container.securityContext, appArmorProfile: profile }
  }
}

function allContainers({ containers, initContainers }: Draft<PodSpec>): readonly Draft<Container>[] {
  return [...(initContainers ?? []), ...(containers ?? [])]
}
