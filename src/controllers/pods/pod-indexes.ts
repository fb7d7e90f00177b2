/** Finds pods in the informer by index, without a scan of all pods. */
import { Pod } from '../../api/core/v1/pod.js'
import type { LabelSelector } from '../../api/selectors/label-selector.js'
import type { SharedInformers } from '../../client/informers/informer.js'

const byLabel = 'namespace and label'
const byNode = 'node'

/** The pods of a namespace that a selector selects. Uses the index if the selector requires a label with a certain value. */
export function* podsMatching(informers: SharedInformers, namespace: string, selector: LabelSelector): Iterable<Pod> {
  const pods = informers.of(Pod)
  pods.addIndex(byLabel, ({ metadata }) =>
    Object.entries(metadata.labels ?? {}).map(([key, value]) => indexKey(metadata.namespace!, key, value)),
  )
  const [key, value] = requiredLabel(selector) ?? []
  const candidates =
    key === undefined ? pods.by('namespace', namespace) : pods.by(byLabel, indexKey(namespace, key, value!))
  for (const pod of candidates) if (selector.matches(pod.metadata.labels ?? {})) yield pod
}

function requiredLabel(selector: LabelSelector): readonly [key: string, value: string] | undefined {
  for (const { key } of selector.requirements) {
    const value = selector.exactValue(key)
    if (value !== undefined) return [key, value]
  }
  return undefined
}

function indexKey(namespace: string, key: string, value: string): string {
  return `${namespace}/${key}=${value}`
}

/** The pods that are bound to a node, in any phase. */
export function podsOnNode(informers: SharedInformers, nodeName: string): Iterable<Pod> {
  const pods = informers.of(Pod)
  pods.addIndex(byNode, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []))
  return pods.by(byNode, nodeName)
}
