import type { KubeObject } from '../api/kube-object.js'
import { setDefaults } from '../schema/defaults.js'
import { canonical } from '../schema/encode.js'
import type { ResourceMap } from './registry/resource-map.js'
import type { ServedResource } from './registry/served-resource.js'
import type { ServerParts } from './verbs/verb-scope.js'
import { timeOf } from './verbs/verb-scope.js'

/** Namespaces that every cluster has from the first moment on. */
const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/** Makes what a new cluster must have and an old one may have lost. What is there stays as it is. */
export async function bootstrap(resources: ResourceMap, server: ServerParts): Promise<void> {
  const resource = resources.find('', 'v1', 'namespaces')!
  await server.store.current()
  for (const name of namespaces) await ensure(server, resource, namespaceNamed(name))
}

export function namespaceNamed(name: string): object {
  return {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }
}

/** Writes an object unless there is one of its name. Two servers may try at once: one of them wins. */
export async function ensure(server: ServerParts, resource: ServedResource, given: object): Promise<void> {
  const object = canonical(resource.stored, given)
  setDefaults(resource.stored, object)
  const { metadata } = object as unknown as KubeObject
  const key = resource.key(metadata.namespace ?? '', metadata.name ?? '')
  if (resource.objects.get(key)) return
  const born = { ...metadata, uid: server.environment.random.uuid(), creationTimestamp: timeOf(server) }
  const whole = canonical(resource.stored, { ...object, metadata: born }) as unknown as KubeObject
  await server.store.write([{ key, expected: 0, object: whole }])
}
