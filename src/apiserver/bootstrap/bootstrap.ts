import type { ConfigMap } from '../../api/core/v1/config-map.js'
import { dayOf, startOfDay, tokenTracking } from '../../api/core/v1/secret/service-account-token.js'
import type { KubeObject } from '../../api/kube-object.js'
import { changeObject } from '../registry/change-object.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import { publishEndpoints, serviceKey } from './endpoints.js'
import { ensure, isThere, storeKeyOf } from './ensure.js'
import { flowSchemas, priorityLevels } from './flow-control.js'
import { defaultServiceCidr, kubernetesService, type ServerAddress } from './kubernetes-service.js'
import { namespaces } from './namespaces.js'

export interface BootstrapOptions extends ServerAddress {
  /** Whether no other server writes to the store. */
  readonly soleWriter: boolean
}

/**
 * Returns a function that bootstraps. It does nothing if all objects that bootstrapping concerns are still as it found them last time: it
 * runs every few seconds for as long as the server does.
 */
export function repeatedBootstrap(
  resources: ResourceMap,
  server: VerbDependencies,
  options: BootstrapOptions,
): () => Promise<void> {
  const concerned = concernedObjects(resources)
  const revisions = () => concerned.map(({ resource, key }) => resource.allObjects.get(key)?.revision)
  let before: readonly (number | undefined)[] = []
  return async () => {
    await server.store.waitUntilCurrent()
    const found = revisions()
    if (found.every((revision, index) => revision !== undefined && revision === before[index])) return
    await bootstrap(resources, server, options)
    before = found // not what is there now: somebody may have written meanwhile
  }
}

function concernedObjects(resources: ResourceMap) {
  const lists: readonly (readonly [group: string, resource: string, objects: readonly object[]])[] = [
    ['', 'namespaces', namespaces],
    ['scheduling.k8s.io', 'priorityclasses', priorityClasses],
    ['networking.k8s.io', 'servicecidrs', [{ metadata: { name: serviceKey.name } }]],
    ['', 'services', [{ metadata: serviceKey }]],
    ['flowcontrol.apiserver.k8s.io', 'prioritylevelconfigurations', priorityLevels],
    ['flowcontrol.apiserver.k8s.io', 'flowschemas', flowSchemas],
    ['', 'configmaps', [{ metadata: { namespace, name } }]],
    ['', 'endpoints', [{ metadata: serviceKey }]],
    ['discovery.k8s.io', 'endpointslices', [{ metadata: serviceKey }]],
  ]
  return lists.flatMap(([group, name, objects]) => {
    const resource = resources.find(group, 'v1', name)!
    return objects.map((object) => ({ resource, key: storeKeyOf(resource, object as KubeObject) }))
  })
}

/** Creates the objects that every cluster has, if they are missing. Does not change existing ones, except the endpoints of this server. */
export async function bootstrap(
  resources: ResourceMap,
  server: VerbDependencies,
  options: BootstrapOptions,
): Promise<void> {
  await server.store.waitUntilCurrent()
  await ensureAll(resources, server, ['', 'namespaces'], namespaces)
  const time = server.timestamps.now()
  await Promise.all([
    ensureAll(resources, server, ['scheduling.k8s.io', 'priorityclasses'], priorityClasses),
    ensureAll(resources, server, ['networking.k8s.io', 'servicecidrs'], [defaultServiceCidr(options, time)]),
    ensureAll(resources, server, ['', 'services'], [kubernetesService(options)]),
    ensureAll(resources, server, ['flowcontrol.apiserver.k8s.io', 'prioritylevelconfigurations'], priorityLevels),
    ensureAll(resources, server, ['flowcontrol.apiserver.k8s.io', 'flowschemas'], flowSchemas),
    announceTracking(resources, server),
    publishEndpoints(resources, server, { ...options, isOnly: options.soleWriter }),
  ])
}

/** Writes all objects at once, so that they share one flush to disk. */
async function ensureAll(
  resources: ResourceMap,
  server: VerbDependencies,
  [group, name]: readonly [group: string, resource: string],
  objects: readonly object[],
): Promise<void> {
  const resource = resources.find(group, 'v1', name)!
  const missing = objects.filter((object) => !isThere(resource, object))
  if (missing.length > 0) await Promise.all(missing.map((object) => ensure(server, { resource, object })))
}

/** The priority classes of critical pods. */
export const priorityClasses: readonly object[] = [
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
]

function priorityClass(name: string, value: number, description: string): object {
  return {
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    metadata: { name },
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  }
}

const { namespace, name, key } = tokenTracking

/** Records since when the server tracks the last use of tokens in secrets. The cleaner must not count the time before as unused. */
export async function announceTracking(resources: ResourceMap, server: VerbDependencies): Promise<void> {
  const resource = resources.find('', 'v1', 'configmaps')!
  const data = { [key]: dayOf(server.environment.clock.now()) }
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace, name }, data }
  await ensure(server, { resource, object })
  await changeObject({ store: server.store, resource, namespace, name }, (known) => repaired(known, data))
}

/** Replaces a malformed date. */
function repaired(known: KubeObject, data: Readonly<Record<string, string>>): KubeObject {
  const map = known as ConfigMap
  if (startOfDay(map.data?.[key]) !== undefined) return map
  const next: ConfigMap = { ...map, data: { ...map.data, ...data } }
  return next
}
