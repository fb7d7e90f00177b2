import { CertificateSigningRequest } from '../../api/certificates/v1/certificate-signing-request.js'
import { hasReason } from '../../api/errors.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { remainingLife } from './remaining-life.js'

/** Removes requests for certificates some time after they were answered, or when nobody answers. */
export function certificateCleaner(): Controller {
  return controller('certificatesigningrequest-cleaner').for(CertificateSigningRequest).workers(1).reconcile(clean)
}

async function clean(
  name: string,
  { client, informers, environment }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const request = informers.of(CertificateSigningRequest).get(name)
  if (!request || request.metadata.deletionTimestamp !== undefined) return undefined
  const wait = remainingLife(request, environment.clock.now())
  if (wait === undefined) return undefined
  if (wait > 0) return { requeueAfter: wait }
  const { uid, resourceVersion } = request.metadata
  try {
    // What was answered a moment ago has another hour.
    const preconditions = { uid: uid!, resourceVersion: resourceVersion! }
    await client.resource(CertificateSigningRequest).delete(name, { preconditions })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
  return undefined
}
