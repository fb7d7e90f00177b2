import { ConfigMap } from '../../api/core/v1/config-map.js'
import { bootstrapTokens, isBootstrapToken } from '../../api/core/v1/secret/bootstrap-token.js'
import { Secret } from '../../api/core/v1/secret.js'
import { keyOf } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { nextEnd, signedData } from './signatures.js'

const clusterInfo = 'kube-public/cluster-info'

/** Signs what strangers may know of the cluster, once for each bootstrap token. */
export function bootstrapSigner(): Controller {
  return controller('bootstrap-signer')
    .watches(ConfigMap, ({ object }) => (keyOf(object) === clusterInfo ? [clusterInfo] : []))
    .watches(Secret, ({ object }) => (isBootstrapToken(object) ? [clusterInfo] : []))
    .workers(1)
    .reconcile(sign)
}

async function sign(
  key: string,
  { client, informers, environment }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const info = informers.of(ConfigMap).get(key)
  if (!info) return undefined
  const now = environment.clock.now()
  const tokens = [...informers.of(Secret).by('namespace', bootstrapTokens.namespace)].filter(isBootstrapToken)
  const data = signedData(info.data ?? {}, tokens, now)
  if (data) await client.resource(ConfigMap).update({ ...info, data })
  const end = nextEnd(tokens, now)
  return end === undefined ? undefined : { requeueAfter: end - now }
}
