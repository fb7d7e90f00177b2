import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { hasReason } from '../../api/errors.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { World } from '../runtime/reconcile.js'

const name = 'kube-root-ca.crt'
const description = {
  'kubernetes.io/description':
    'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
}

/** In every namespace pods find by whom the API server is known. */
export function rootCaPublisher(authority: string): Controller {
  const data = { 'ca.crt': authority }
  return controller('root-ca-publisher')
    .for(Namespace)
    .watches(ConfigMap, ({ object: { metadata } }) => (metadata.name === name ? [metadata.namespace!] : []))
    .reconcile((namespace, world) => publish(namespace, data, world))
}

async function publish(namespace: string, data: { readonly 'ca.crt': string }, world: World): Promise<void> {
  const { client, informers } = world
  if (informers.of(Namespace).get(namespace)?.status?.phase !== 'Active') return
  const maps = client.resource(ConfigMap).in(namespace)
  const found = informers.of(ConfigMap).get(`${namespace}/${name}`)
  try {
    if (!found) await maps.create({ metadata: { name, annotations: description }, data })
    else if (!isPublished(found, data)) await maps.update({ ...found, metadata: described(found), data })
  } catch (error) {
    // The namespace is going, or somebody else was faster: then there is another change to look at.
    if (!isNoTrouble(error)) throw error
  }
}

function isNoTrouble(error: unknown): boolean {
  return hasReason(error, 'NotFound') || hasReason(error, 'Forbidden') || hasReason(error, 'AlreadyExists')
}

function isPublished({ data, metadata }: ConfigMap, wanted: { readonly 'ca.crt': string }): boolean {
  const isSame = Object.keys(data ?? {}).length === 1 && data?.['ca.crt'] === wanted['ca.crt']
  return isSame && Object.entries(description).every(([key, text]) => metadata.annotations?.[key] === text)
}

function described({ metadata }: ConfigMap): ConfigMap['metadata'] {
  return { ...metadata, annotations: { ...metadata.annotations, ...description } }
}
