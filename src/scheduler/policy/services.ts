import { Service } from '../../api/core/v1/service.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'

type Labels = Readonly<Record<string, string>>

/** What the first of the services that lead to a pod selects; undefined if none does. */
export type ServiceSelector = (pod: PodInfo) => Labels | undefined

export function serviceSelector(informers: SharedInformers): ServiceSelector {
  const services = informers.of(Service)
  return (pod) => {
    for (const { spec } of services.by('namespace', pod.namespace))
      if (spec.selector && isLabelSubset(spec.selector, pod.labels)) return spec.selector
    return undefined
  }
}

export function isLabelSubset(selector: Labels, labels: Labels): boolean {
  for (const key in selector) if (labels[key] !== selector[key]) return false
  return true
}

/** How many pods of a node are in the namespace and have the labels. Those that are on their way out do not count. */
export function countServicePods({ pods }: NodeInfo, namespace: string, selector: Labels): number {
  let count = 0
  for (const pod of pods)
    if (pod.namespace === namespace && isLabelSubset(selector, pod.labels) && !pod.pod.metadata.deletionTimestamp)
      count++
  return count
}
