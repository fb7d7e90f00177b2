import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { StatefulSet } from '../../api/apps/v1/stateful-set.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { Service } from '../../api/core/v1/service.js'
import type { LabelSelector as LabelSelectorObject } from '../../api/meta/v1/label-selector.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import type { PodInfo } from '../cache/pod-info.js'

/** The pods that a pod is one of, as far as that can be told; undefined if it stands alone. */
export type DefaultSelector = (pod: PodInfo) => LabelSelector | undefined

type Labels = Readonly<Record<string, string>>

/** By the services that lead to it, and by whoever made it to have several of the kind. */
export function defaultSelector(informers: SharedInformers): DefaultSelector {
  const services = informers.of(Service)
  const ownerSelector = ownerSelectors(informers)
  return (pod) => {
    let matchLabels: Labels = {}
    for (const { spec } of services.by('namespace', pod.namespace)) {
      const { selector } = spec
      if (selector && isSubset(selector, pod.labels)) matchLabels = { ...matchLabels, ...selector }
    }
    const owner = ownerSelector(pod) ?? {}
    const selector = LabelSelector.from({
      matchLabels: { ...matchLabels, ...owner.matchLabels },
      matchExpressions: owner.matchExpressions ?? [],
    })
    return selector.isEmpty ? undefined : selector
  }
}

function isSubset(selector: Labels, labels: Labels): boolean {
  for (const key in selector) if (labels[key] !== selector[key]) return false
  return true
}

function ownerSelectors(informers: SharedInformers): (pod: PodInfo) => LabelSelectorObject | undefined {
  const controllers = informers.of(ReplicationController)
  const sets = { ReplicaSet: informers.of(ReplicaSet), StatefulSet: informers.of(StatefulSet) }
  return ({ pod, namespace }) => {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)
    if (!owner) return undefined
    const { kind, apiVersion, name } = owner
    const key = `${namespace}/${name}`
    if (apiVersion === 'v1' && kind === 'ReplicationController') {
      const matchLabels = controllers.get(key)?.spec.selector
      return matchLabels && { matchLabels }
    }
    if (apiVersion !== 'apps/v1' || (kind !== 'ReplicaSet' && kind !== 'StatefulSet')) return undefined
    return sets[kind].get(key)?.spec.selector
  }
}
