import type { ResourceMap } from '../registry/resource-map.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import { publishEndpoints } from './endpoints.js'
import { ensure, isThere } from './ensure.js'
import { flowSchemas, priorityLevels } from './flow-control.js'
import { defaultServiceCidr, kubernetesService, type ServerPlace } from './kubernetes-service.js'
import { namespaces } from './namespaces.js'
import { priorityClasses } from './priority-classes.js'
import { announceTracking } from './token-tracking.js'

export interface BootstrapParts extends ServerPlace {
  /** Nobody else writes to the store. */
  readonly soleWriter: boolean
}

/** Makes what a new cluster must have and an old one may have lost. What is there stays as it is, but for where this server is. */
export async function bootstrap(
  resources: ResourceMap,
  server: VerbDependencies,
  parts: BootstrapParts,
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
