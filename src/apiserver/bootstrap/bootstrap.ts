import type { ConfigMap } from '../../api/core/v1/config-map.js'
import { dayOf, startOfDay, tokenTracking } from '../../api/core/v1/secret/service-account-token.js'
import type { KubeObject } from '../../api/kube-object.js'
import { changeObject } from '../registry/change-object.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import { publishEndpoints } from './endpoints.js'
import { ensure, isThere } from './ensure.js'
import { flowSchemas, priorityLevels } from './flow-control.js'
import { defaultServiceCidr, kubernetesService, type ServerAddress } from './kubernetes-service.js'
import { namespaces } from './namespaces.js'

export interface BootstrapOptions extends ServerAddress {
  /** Nobody else writes to the store. */
  readonly soleWriter: boolean
}

/** Makes what a new cluster must have and an old one may have lost. What is there stays as it is, but for where this server is. */
export async function bootstrap(
  resources: ResourceMap,
  server: VerbDependencies,
  parts: BootstrapOptions,
): Promise<void> {
  await server.store.waitUntilCurrent()
  await ensureAll(resources, server, ['', 'namespaces'], namespaces)
  const time = server.timestamps.now()
  await Promise.all([
    ensureAll(resources, server, ['scheduling.k8s.io', 'priorityclasses'], priorityClasses),
    ensureAll(resources, server, ['networking.k8s.io', 'servicecidrs'], [defaultServiceCidr(parts, time)]),
    ensureAll(resources, server, ['', 'services'], [kubernetesService(parts)]),
    ensureAll(resources, server, ['flowcontrol.apiserver.k8s.io', 'prioritylevelconfigurations'], priorityLevels),
    ensureAll(resources, server, ['flowcontrol.apiserver.k8s.io', 'flowschemas'], flowSchemas),
    announceTracking(resources, server),
    publishEndpoints(resources, server, { ...parts, isOnly: parts.soleWriter }),
  ])
}

/** All at once: their flushes to disk are shared. */
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

/** Classes for what must run before everything else. */
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

/** Says since when the last use of tokens in secrets is written down: who cleans them up must know since when silence means anything. */
export async function announceTracking(resources: ResourceMap, server: VerbDependencies): Promise<void> {
  const resource = resources.find('', 'v1', 'configmaps')!
  const data = { [key]: dayOf(server.environment.clock.now()) }
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace, name }, data }
  await ensure(server, { resource, object })
  await changeObject({ store: server.store, resource, namespace, name }, (known) => repaired(known, data))
}

/** A day that cannot be read is no day. */
function repaired(known: KubeObject, data: Readonly<Record<string, string>>): KubeObject {
  const map = known as ConfigMap
  if (startOfDay(map.data?.[key]) !== undefined) return map
  const next: ConfigMap = { ...map, data: { ...map.data, ...data } }
  return next
}
