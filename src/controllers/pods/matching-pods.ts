import { Pod } from '../../api/core/v1/pod.js'
import type { LabelSelector } from '../../api/selectors/label-selector.js'
import type { SharedInformers } from '../../client/informers/informer.js'

const byLabel = 'namespace and label'

/** The pods of a namespace that a selector chooses. Where it names a label and its value, no others are looked at. */
export function* podsMatching(informers: SharedInformers, namespace: string, selector: LabelSelector): Iterable<Pod> {
  const pods = informers.of(Pod)
  pods.addIndex(byLabel, ({ metadata }) =>
    Object.entries(metadata.labels ?? {}).map(([key, value]) => filedUnder(metadata.namespace!, key, value)),
  )
  const [key, value] = exactLabel(selector) ?? []
  const candidates =
    key === undefined ? pods.by('namespace', namespace) : pods.by(byLabel, filedUnder(namespace, key, value!))
  for (const pod of candidates) if (selector.matches(pod.metadata.labels ?? {})) yield pod
}

function exactLabel(selector: LabelSelector): readonly [key: string, value: string] | undefined {
  for (const { key } of selector.requirements) {
    const value = selector.exactValue(key)
    if (value !== undefined) return [key, value]
  }
  return undefined
}

function filedUnder(namespace: string, key: string, value: string): string {
  return `${namespace}/${key}=${value}`
}
