import type { Endpoints } from '../../api/core/v1/endpoints.js'
import type { Service, ServicePort } from '../../api/core/v1/service.js'
import type { KubeObject, UntypedObject } from '../../api/kube-object.js'
import { sameJson } from '../../schema/json-value.js'
import { changeObject } from '../registry/change-object.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import { ensure } from './ensure.js'
import { kubernetesEndpoints, kubernetesService, kubernetesSlice, type ServerAddress } from './kubernetes-service.js'

const place = { namespace: 'default', name: 'kubernetes' }

/**
 * Says where the API server is. A server that has the store to itself is the only one; others join those that are there. A server
 * that is gone for good must be taken out by hand.
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
  await changeObject({ store: server.store, resource: endpoints, ...place }, (object) => {
    const others = isOnly ? [] : addressesIn(object as Endpoints)
    known = [...new Set([...others, address])].sort()
    return replaced(object, kubernetesEndpoints(known, port), ['subsets'])
  })
  await changeObject({ store: server.store, resource: slices, ...place }, (object) =>
    replaced(object, kubernetesSlice(known, port), ['addressType', 'endpoints', 'ports']),
  )
}

/**
 * The service leads to the port that this server has. Done once, when the server starts: what people change about the service
 * afterwards is theirs.
 */
export async function correctService(
  resources: ResourceMap,
  server: VerbDependencies,
  parts: ServerAddress,
): Promise<void> {
  const resource = resources.find('', 'v1', 'services')!
  const { ports } = (kubernetesService(parts) as Service).spec
  await changeObject({ store: server.store, resource, ...place }, (object) => {
    const { spec } = object as Service
    return replaced(object, { spec: { ...spec, ports: corrected(spec.ports, ports) } }, ['spec'])
  })
}

/** A port on nodes that it was given stays. */
function corrected(ports: readonly ServicePort[] = [], wanted: readonly ServicePort[] = []): readonly ServicePort[] {
  return wanted.map((port) => ({ ...ports.find(({ name }) => name === port.name), ...port }))
}

function addressesIn({ subsets = [] }: Endpoints): readonly string[] {
  return subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip))
}

/** The object itself where nothing differs, so that nothing is written. */
function replaced(object: KubeObject, wanted: object, fields: readonly string[]): KubeObject {
  const current = object as UntypedObject
  const next = wanted as Record<string, unknown>
  const isSame = fields.every((field) => sameJson(current[field], next[field]))
  return isSame ? object : { ...object, ...Object.fromEntries(fields.map((field) => [field, next[field]])) }
}
