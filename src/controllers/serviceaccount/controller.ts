import { Namespace } from '../../api/core/v1/namespace.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import { isNamespaceTerminating } from '../pods/creating.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

/** What pods run as that do not say. */
const name = 'default'

/** Every namespace has a default service account, also after somebody deletes it. */
export function serviceAccountController(): Controller {
  return controller('serviceaccount')
    .for(Namespace)
    .watches(ServiceAccount, ({ type, object: { metadata } }) =>
      type === 'deleted' && metadata.name === name ? [metadata.namespace!] : [],
    )
    .reconcile(provide)
}

async function provide(namespace: string, { client, informers }: ReconcileContext): Promise<void> {
  if (informers.of(Namespace).get(namespace)?.status?.phase !== 'Active') return
  if (informers.of(ServiceAccount).get(`${namespace}/${name}`)) return
  try {
    await client.resource(ServiceAccount).in(namespace).create({ metadata: { name } })
  } catch (error) {
    // Somebody else was faster, or the namespace goes. What a quota refuses is tried again.
    if (!hasReason(error, 'AlreadyExists') && !isNamespaceTerminating(error)) throw error
  }
}
