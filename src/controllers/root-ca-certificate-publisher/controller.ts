import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { hasReason } from '../../api/errors.js'
import { isNamespaceTerminating } from '../pods/creating.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { published } from './published.js'

const name = 'kube-root-ca.crt'

/** In every namespace pods find by whom the API server is known. */
export function rootCaPublisher(authority: string): Controller {
  return controller('root-ca-publisher')
    .for(Namespace)
    .watches(ConfigMap, ({ object: { metadata } }) => (metadata.name === name ? [metadata.namespace!] : []))
    .reconcile((namespace, context) => publish(namespace, authority, context))
}

async function publish(namespace: string, authority: string, { client, informers }: ReconcileContext): Promise<void> {
  if (informers.of(Namespace).get(namespace)?.status?.phase !== 'Active') return
  const known = informers.of(ConfigMap).get(`${namespace}/${name}`)
  const wanted = published(known, authority)
  if (!wanted) return
  const maps = client.resource(ConfigMap).in(namespace)
  try {
    if (known) await maps.update(wanted)
    else await maps.create({ ...wanted, metadata: { ...wanted.metadata, name } })
  } catch (error) {
    // Somebody else was faster, and is heard of; or the namespace goes. What a quota refuses is tried again.
    if (!hasReason(error, 'AlreadyExists') && !isNamespaceTerminating(error)) throw error
  }
}
