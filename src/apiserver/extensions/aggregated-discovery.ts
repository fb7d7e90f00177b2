import type { JsonObject } from '../../schema/declaration.js'
import type { Scheme, ServedKind } from '../../schema/scheme.js'
import { compareText } from '../../schema/text-order.js'
import { kindsIn, namedGroups, subresourceKind, versionsOf } from './discovery-lists.js'

export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** By scheme, which never changes. In-process clients compare the buffers by identity. */
const encoded = new WeakMap<Scheme, Map<'core' | 'groups', Uint8Array>>()

/** Returns aggregated discovery: the core group under `/api`, the other groups under `/apis`. */
export function encodedDiscovery(scheme: Scheme, part: 'core' | 'groups'): Uint8Array {
  const parts = encoded.get(scheme) ?? new Map<'core' | 'groups', Uint8Array>()
  encoded.set(scheme, parts)
  const bytes = parts.get(part) ?? Buffer.from(`${JSON.stringify(aggregatedDiscovery(scheme, part))}\n`)
  parts.set(part, bytes)
  return bytes
}

function aggregatedDiscovery(scheme: Scheme, part: 'core' | 'groups'): JsonObject {
  const names = part === 'core' ? [''] : namedGroups(scheme).map(({ name }) => name)
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: names.map((name) => groupDiscovery(scheme, name)),
  }
}

function groupDiscovery(scheme: Scheme, name: string): JsonObject {
  return {
    metadata: name === '' ? {} : { name },
    versions: versionsOf(scheme, name).map((version) => ({
      version,
      resources: kindsIn(scheme, name, version)
        .map(resourceDiscovery)
        .sort((a, b) => compareText(String(a.resource), String(b.resource))),
      freshness: 'Current',
    })),
  }
}

function resourceDiscovery(type: ServedKind): JsonObject {
  const { kind, resource } = type.kind
  const { plural, singular, namespaced, verbs, shortNames, categories, subresources } = resource
  const parts = Object.entries(subresources).sort(([a], [b]) => compareText(a, b))
  return {
    resource: plural,
    responseKind: { group: '', version: '', kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs].sort(),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(parts.length > 0 && {
      subresources: parts.map(([name, subresource]) => ({
        subresource: name,
        responseKind: { group: '', version: '', ...subresourceKind(type, subresource) },
        verbs: [...subresource.verbs].sort(),
      })),
    }),
  }
}
