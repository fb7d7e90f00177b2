import type { ConfigMap } from '../../api/core/v1/config-map.js'
import { dayOf, startOfDay, tokenTracking } from '../../api/core/v1/secret/service-account-token.js'
import type { KubeObject } from '../../api/kube-object.js'
import { changeObject } from '../registry/change-object.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import { ensure } from './ensure.js'

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
