import type { Pod } from '../../../api/core/v1/pod.js'
import { labelKey } from '../../../schema/label-names.js'
import { quote } from '../../../schema/quote.js'
import { compareText } from '../../../schema/text-order.js'

/** Addresses for the downward API, which are not in the pod's specification. */
export interface PodAddresses {
  /** Addresses of the node, primary first. */
  readonly hostAddresses: readonly string[]
  /** The addresses that the status will show. Empty before the pod has any. */
  readonly podAddresses: readonly string[]
}

const fields: Readonly<Record<string, (pod: Pod, addresses: PodAddresses) => string>> = {
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

/** Returns a field of a pod as text, for the downward API. Throws in upstream's words for an unsupported field. */
export function podField(pod: Pod, fieldPath: string, addresses: PodAddresses): string {
  const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  const [, map, key] = /^(.+?)\['(.*)'\]$/.exec(path) ?? []
  if (map !== undefined) return entryOf(pod, path, { map, key: key! })
  const field = Object.hasOwn(fields, path) ? fields[path] : undefined
  if (!field) throw new Error(`unsupported fieldPath: ${path}`)
  return field(pod, addresses)
}

function entryOf(
  { metadata }: Pod,
  path: string,
  { map, key }: { readonly map: string; readonly key: string },
): string {
  if (map !== 'metadata.labels' && map !== 'metadata.annotations')
    throw new Error(`fieldPath ${quote(path)} does not support subscript`)
  // Annotation keys are case-insensitive.
  const wrong = labelKey(map === 'metadata.annotations' ? key.toLowerCase() : key)
  if (wrong.length > 0) throw new Error(`invalid key subscript in ${path}: ${wrong.join(';')}`)
  return (map === 'metadata.labels' ? metadata.labels : metadata.annotations)?.[key] ?? ''
}

/** Returns one sorted line per entry, without a final line break. */
function mapText(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .sort(compareText)
    .map((key) => `${key}=${quote(map[key]!)}`)
    .join('\n')
}
