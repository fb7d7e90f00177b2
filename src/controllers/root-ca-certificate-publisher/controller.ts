import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { hasReason } from '../../api/errors.js'
import { defineController, recordEvents } from '../definition.js'
import { isNamespaceTerminating } from '../pods/pod-writes.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { decide, type PublisherObservation } from './decide.js'
import { rootAuthority, rootCaFlags } from './root-ca-flags.js'

const name = 'kube-root-ca.crt'

/** Publishes in every namespace the certificate by which pods verify the API server. */
export const definition = defineController({
  name: 'root-ca-certificate-publisher-controller',
  alias: 'root-ca-cert-publisher',
  serviceAccount: 'root-ca-cert-publisher',
  rules: ['create update on configmaps of core', recordEvents],
  flags: rootCaFlags,
  create(controller, setup) {
    const authority = rootAuthority(setup)
    if (authority === undefined) return undefined
    return controller
      .for(Namespace)
      .watches(ConfigMap, ({ object: { metadata } }) => (metadata.name === name ? [metadata.namespace!] : []))
      .reconcile({ observe: observerOf(authority), decide, act })
  },
})

function observerOf(authority: string) {
  return async (key: string, { informers }: ReconcileContext): Promise<PublisherObservation> => ({
    namespace: informers.of(Namespace).get(key),
    known: informers.of(ConfigMap).get(`${key}/${name}`),
    authority,
  })
}

async function act(
  wanted: NonNullable<ReturnType<typeof decide>>,
  { namespace, known }: PublisherObservation,
  { client }: ReconcileContext,
): Promise<void> {
  const maps = client.resource(ConfigMap).in(namespace!.metadata.name!)
  try {
    if (known) await maps.update(wanted)
    else await maps.create({ ...wanted, metadata: { ...wanted.metadata, name } })
  } catch (error) {
    // Another client was faster, or the namespace terminates. A rejection by a quota is retried.
    if (!hasReason(error, 'AlreadyExists') && !isNamespaceTerminating(error)) throw error
  }
}
