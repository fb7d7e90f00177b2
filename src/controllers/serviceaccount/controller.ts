import { Namespace } from '../../api/core/v1/namespace.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { World } from '../runtime/reconcile.js'

/** What pods run as that do not say. */
const name = 'default'

/** Every namespace has a default service account, also after somebody deletes it. */
export function serviceAccountController(): Controller {
  return controller('serviceaccount')
    .for(Namespace)
    .watches(ServiceAccount, ({ type, object }) => (type === 'deleted' ? [object.metadata.namespace!] : []))
    .reconcile(provide)
}

async function provide(namespace: string, { client, informers }: World): Promise<void> {
  if (informers.of(Namespace).get(namespace)?.status?.phase !== 'Active') return
  if (informers.of(ServiceAccount).get(`${namespace}/${name}`)) return
  try {
    await client.resource(ServiceAccount).in(namespace).create({ metadata: { name } })
  } catch (error) {
    // Somebody else was faster, or the namespace is going.
    if (!hasReason(error, 'AlreadyExists') && !isGoing(error)) throw error
  }
}

function isGoing(error: unknown): boolean {
  return hasReason(error, 'NotFound') || hasReason(error, 'Forbidden')
}
