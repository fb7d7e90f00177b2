import type { Pod } from '../../../api/core/v1/pod.js'
import { labelKey } from '../../../schema/label-names.js'
import { quote } from '../../../schema/quote.js'
import { compareText } from '../../../schema/text-order.js'

/** What a pod's specification does not know of itself. */
export interface PodAddresses {
  /** The node's, the primary one first. */
  readonly hostAddresses: readonly string[]
  /** As the status of the pod will show them; none before it has any. */
  readonly podAddresses: readonly string[]
}

const fields: Readonly<Record<string, (pod: Pod, place: PodAddresses) => string>> = {
  'metadata.name': ({ metadata }) => metadata.name ?? '',
  'metadata.namespace': ({ metadata }) => metadata.namespace ?? '',
  'metadata.uid': ({ metadata }) => metadata.uid ?? '',
  'metadata.labels': ({ metadata }) => mapText(metadata.labels),
  'metadata.annotations': ({ metadata }) => mapText(metadata.annotations),
  'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
  'status.hostIP': (_, { hostAddresses }) => hostAddresses[0] ?? '',
  'status.hostIPs': (_, { hostAddresses }) => hostAddresses.join(','),
  'status.podIP': (_, { podAddresses }) => podAddresses[0] ?? '',
  'status.podIPs': (_, { podAddresses }) => podAddresses.join(','),
}

/** The downward API: a field of a pod as text, for a variable or a file. Throws in upstream's words when there is no such field. */
export function podField(pod: Pod, fieldPath: string, place: PodAddresses): string {
  const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  const [, map, key] = /^(.+?)\['(.*)'\]$/.exec(path) ?? []
  if (map !== undefined) return entryOf(pod, path, { map, key: key! })
  const field = Object.hasOwn(fields, path) ? fields[path] : undefined
  if (!field) throw new Error(`unsupported fieldPath: ${path}`)
  return field(pod, place)
}

function entryOf(
  { metadata }: Pod,
  path: string,
  { map, key }: { readonly map: string; readonly key: string },
): string {
  if (map !== 'metadata.labels' && map !== 'metadata.annotations')
    throw new Error(`fieldPath ${quote(path)} does not support subscript`)
  // Keys of annotations are the same in any case.
  const wrong = labelKey(map === 'metadata.annotations' ? key.toLowerCase() : key)
  if (wrong.length > 0) throw new Error(`invalid key subscript in ${path}: ${wrong.join(';')}`)
  return (map === 'metadata.labels' ? metadata.labels : metadata.annotations)?.[key] ?? ''
}

/** One line for each entry, sorted, without a line break at the end. */
function mapText(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .sort(compareText)
    .map((key) => `${key}=${quote(map[key]!)}`)
    .join('\n')
}
