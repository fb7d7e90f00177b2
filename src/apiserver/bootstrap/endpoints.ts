import type { Endpoints } from '../../api/core/v1/endpoints.js'
import type { Service, ServicePort } from '../../api/core/v1/service.js'
import type { KubeObject, UntypedObject } from '../../api/kube-object.js'
import { sameJson } from '../../schema/json-value.js'
import { changeObject } from '../registry/change-object.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import { ensure } from './ensure.js'
import { kubernetesEndpoints, kubernetesService, kubernetesSlice, type ServerAddress } from './kubernetes-service.js'

/** Of the Service, its Endpoints and its EndpointSlice. */
export const serviceKey = { namespace: 'default', name: 'kubernetes' }

/**
 * Publishes the address of this server. The only server replaces all addresses; others add theirs. An administrator must remove the address
 * of a server that does not come back.
 */
export async function publishEndpoints(
  resources: ResourceMap,
  server: VerbDependencies,
  { address, port, isOnly }: Pick<ServerAddress, 'address' | 'port'> & { readonly isOnly: boolean },
): Promise<void> {
  const endpoints = resources.find('', 'v1', 'endpoints')!
  const slices = resources.find('discovery.k8s.io', 'v1', 'endpointslices')!
  await ensure(server, { resource: endpoints, object: kubernetesEndpoints([address], port) })
  await ensure(server, { resource: slices, object: kubernetesSlice([address], port) })
  let known: readonly string[] = [address]
  await changeObject({ store: server.store, resource: endpoints, ...serviceKey }, (object) => {
    const others = isOnly ? [] : addressesIn(object as Endpoints)
    known = [...new Set([...others, address])].sort()
    return replaced(object, kubernetesEndpoints(known, port), ['subsets'])
  })
  await changeObject({ store: server.store, resource: slices, ...serviceKey }, (object) =>
    replaced(object, kubernetesSlice(known, port), ['addressType', 'endpoints', 'ports']),
  )
}

/**
 * Sets the port of the service to that of this server. Runs once, when the server starts: later changes by users stay.
 */
export async function correctService(
  resources: ResourceMap,
  server: VerbDependencies,
  address: ServerAddress,
): Promise<void> {
  const resource = resources.find('', 'v1', 'services')!
  const { ports } = (kubernetesService(address) as Service).spec
  await changeObject({ store: server.store, resource, ...serviceKey }, (object) => {
    const { spec } = object as Service
    return replaced(object, { spec: { ...spec, ports: corrected(spec.ports, ports) } }, ['spec'])
  })
}

/** Keeps a node port that the service has. */
function corrected(ports: readonly ServicePort[] = [], wanted: readonly ServicePort[] = []): readonly ServicePort[] {
  return wanted.map((port) => ({ ...ports.find(({ name }) => name === port.name), ...port }))
}

function addressesIn({ subsets = [] }: Endpoints): readonly string[] {
  return subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip))
}

/** Returns the same object if nothing differs, so that nothing is written. */
function replaced(object: KubeObject, wanted: object, fields: readonly string[]): KubeObject {
  const current = object as UntypedObject
  const next = wanted as Record<string, unknown>
  const isSame = fields.every((field) => sameJson(current[field], next[field]))
  return isSame ? object : { ...object, ...Object.fromEntries(fields.map((field) => [field, next[field]])) }
}
