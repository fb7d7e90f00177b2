import { Namespace } from '../../api/core/v1/namespace.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import { defineController, recordEvents } from '../definition.js'
import { isNamespaceTerminating } from '../pods/pod-writes.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

/** The account of pods that name none. */
const name = 'default'

/** Creates the default service account of every namespace, and creates it again when it is deleted. */
export const definition = defineController({
  name: 'serviceaccount-controller',
  alias: 'serviceaccount',
  queue: 'serviceaccount',
  serviceAccount: 'service-account-controller',
  rules: ['create on serviceaccounts of core', recordEvents],
  create: (controller) =>
    controller
      .for(Namespace)
      .watches(ServiceAccount, ({ type, object: { metadata } }) =>
        type === 'deleted' && metadata.name === name ? [metadata.namespace!] : [],
      )
      .reconcile({ observe, decide, act }),
})

interface Observation {
  readonly namespace: Namespace | undefined
  readonly account: ServiceAccount | undefined
}

async function observe(key: string, { informers }: ReconcileContext): Promise<Observation> {
  return { namespace: informers.of(Namespace).get(key), account: informers.of(ServiceAccount).get(`${key}/${name}`) }
}

/** The namespace in which to create the account. */
export function decide({ namespace, account }: Observation): string | undefined {
  return namespace?.status?.phase === 'Active' && !account ? namespace.metadata.name : undefined
}

async function act(namespace: string, _: Observation, { client }: ReconcileContext): Promise<void> {
  try {
    await client.resource(ServiceAccount).in(namespace).create({ metadata: { name } })
  } catch (error) {
    // Another client was faster, or the namespace terminates. A rejection by a quota is retried.
    if (!hasReason(error, 'AlreadyExists') && !isNamespaceTerminating(error)) throw error
  }
}
