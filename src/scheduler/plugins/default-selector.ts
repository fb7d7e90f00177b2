import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { StatefulSet } from '../../api/apps/v1/stateful-set.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { Service } from '../../api/core/v1/service.js'
import type { LabelSelector as LabelSelectorObject } from '../../api/meta/v1/label-selector.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import type { PodInfo } from '../cache/pod-info.js'

/** Selects the pods that belong together with a pod; undefined if the pod stands alone. Upstream's DefaultSelector. */
export type DefaultSelector = (pod: PodInfo) => LabelSelector | undefined

type Labels = Readonly<Record<string, string>>

/** Combines the selectors of the services of the pod with that of its controller. */
export function defaultSelector(informers: SharedInformers): DefaultSelector {
  const services = informers.of(Service)
  const controllerSelector = controllerSelectors(informers)
  return (pod) => {
    let matchLabels: Labels = {}
    for (const { spec } of services.by('namespace', pod.namespace)) {
      const { selector } = spec
      if (selector && isLabelSubset(selector, pod.labels)) matchLabels = { ...matchLabels, ...selector }
    }
    const controller = controllerSelector(pod) ?? {}
    const selector = LabelSelector.from({
      matchLabels: { ...matchLabels, ...controller.matchLabels },
      matchExpressions: controller.matchExpressions ?? [],
    })
    return selector.isEmpty ? undefined : selector
  }
}

export function isLabelSubset(selector: Labels, labels: Labels): boolean {
  for (const key in selector) if (labels[key] !== selector[key]) return false
  return true
}

function controllerSelectors(informers: SharedInformers): (pod: PodInfo) => LabelSelectorObject | undefined {
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
