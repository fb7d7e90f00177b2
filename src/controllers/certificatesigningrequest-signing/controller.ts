import {
  CertificateSigningRequest,
  type CertificateSigningRequestStatus,
} from '../../api/certificates/v1/certificate-signing-request.js'
import type { Random } from '../../base/random.js'
import { issuerOf } from '../../wire/x509/issuer.js'
import { signedCertificate } from '../../wire/x509/signed-certificate.js'
import { certificateServiceAccount } from '../certificates/service-account.js'
import { defineController } from '../definition.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { decide, pendingSigner, type SigningDecision, type SigningObservation, signerFault } from './decide.js'
import { type SigningAuthorities, signingAuthorities, signingFlags } from './flags.js'

/** Signs approved certificate signing requests. */
export const definition = defineController({
  name: 'certificatesigningrequest-signing-controller',
  alias: 'csrsigning',
  ...certificateServiceAccount,
  flags: signingFlags,
  create(controller, setup) {
    const authorities = signingAuthorities(setup)
    if (!authorities) return undefined
    const observe = observerOf(authorities, setup.flags['cluster-signing-duration'])
    return controller.for(CertificateSigningRequest).workers(5).reconcile({ observe, decide, act })
  },
})

function observerOf(authorities: SigningAuthorities, maxDuration: number) {
  return async (
    name: string,
    { informers, environment }: ReconcileContext,
  ): Promise<SigningObservation | undefined> => {
    const request = informers.of(CertificateSigningRequest).get(name)
    const signer = request && pendingSigner(request)
    const authority = signer && authorities[signer]
    if (!authority) return undefined
    const issuer = signerFault(request, signer) === undefined ? issuerOf(authority()) : undefined
    return { request, signer, issuer, maxDuration, now: environment.clock.now() }
  }
}

async function act(
  decision: SigningDecision,
  { request }: SigningObservation,
  { client, environment }: ReconcileContext,
): Promise<void> {
  const status = statusAfter(decision, request.status, environment.random)
  const requests = client.resource(CertificateSigningRequest)
  await requests.subresource('status').update({ ...request, status })
}

function statusAfter(
  decision: SigningDecision,
  status: CertificateSigningRequestStatus,
  random: Random,
): CertificateSigningRequestStatus {
  if (decision.do === 'fail') return decision.status
  const certificate = signedCertificate(decision.content, decision.issuer, random)
  return { ...status, certificate: Buffer.from(certificate).toString('base64') }
}
