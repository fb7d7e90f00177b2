import { Pod } from '../../api/core/v1/pod.js'
import type { SharedInformers } from '../../client/informers/informer.js'

const byNode = 'node'

/** The pods that are bound to a node, in whatever state: by index. */
export function podsOn(informers: SharedInformers, nodeName: string): Iterable<Pod> {
  const pods = informers.of(Pod)
  pods.addIndex(byNode, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []))
  return pods.by(byNode, nodeName)
}
