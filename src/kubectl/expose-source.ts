import type { JsonObject } from '../schema/declaration.js'
import { objectIn } from '../schema/json-value.js'
import { metadataOf, type ResourceObject, resourceName } from './resources/info.js'

/** A port that containers serve, or a service. */
export interface KnownPort {
  readonly port: number
  readonly protocol: string
}

/** How each kind of object says which pods are its own. */
const selectors: Readonly<Record<string, (object: JsonObject) => unknown>> = {
  pods: (object) => metadataOf(object).labels,
  services: (object) => objectIn(object, 'spec')?.selector,
  replicationcontrollers: (object) => objectIn(object, 'spec')?.selector,
  'deployments.apps': matchLabels,
  'replicasets.apps': matchLabels,
}

function matchLabels(object: JsonObject): unknown {
  const selector = objectIn(objectIn(object, 'spec') ?? {}, 'selector') ?? {}
  if (Array.isArray(selector.matchExpressions) && selector.matchExpressions.length > 0)
    throw new Error(
      `couldn't convert expressions - "${JSON.stringify(selector.matchExpressions)}" to map-based selector format`,
    )
  return selector.matchLabels
}

export function selectorOf({ resource, object }: ResourceObject): Readonly<Record<string, string>> {
  const name = resourceName(resource)
  const read = Object.hasOwn(selectors, name) ? selectors[name] : undefined
  if (!read)
    throw new Error(`cannot expose a ${resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`}`)
  const labels = (read(object) ?? {}) as Readonly<Record<string, string>>
  if (Object.keys(labels).length > 0) return labels
  throw new Error(
    resource.plural === 'pods'
      ? "couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed"
      : `couldn't retrieve selectors via --selector flag or introspection: the ${resource.kind.toLowerCase()} has no pod selector set`,
  )
}

export function portsOf({ object }: Pick<ResourceObject, 'object'>): readonly KnownPort[] {
  const spec = objectIn(object, 'spec') ?? {}
  if (Array.isArray(spec.ports))
    return (spec.ports as readonly KnownPort[]).map(({ port, protocol = 'TCP' }) => ({ port, protocol }))
  const pod = objectIn(objectIn(spec, 'template') ?? {}, 'spec') ?? spec
  const containers = (pod.containers ?? []) as readonly {
    ports?: readonly { containerPort: number; protocol?: string }[]
  }[]
  return containers.flatMap(({ ports = [] }) =>
    ports.map(({ containerPort, protocol = 'TCP' }) => ({ port: containerPort, protocol })),
  )
}
