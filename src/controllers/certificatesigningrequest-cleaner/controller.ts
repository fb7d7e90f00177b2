import { CertificateSigningRequest } from '../../api/certificates/v1/certificate-signing-request.js'
import { certificateServiceAccount } from '../certificates/service-account.js'
import { defineController } from '../definition.js'
import { unlessNotFound } from '../runtime/failures.js'
import { decide } from './decide.js'

/** Deletes certificate signing requests some time after they were decided, and those that nobody decides. */
export const definition = defineController({
  name: 'certificatesigningrequest-cleaner-controller',
  alias: 'csrcleaner',
  ...certificateServiceAccount,
  create: (controller) =>
    controller
      .for(CertificateSigningRequest)
      .workers(1)
      .reconcile({
        async observe(name, { informers, environment }) {
          const request = informers.of(CertificateSigningRequest).get(name)
          return request && { request, now: environment.clock.now() }
        },
        decide,
        async act({ deleteAfter }, { request }, { client }) {
          if (deleteAfter > 0) return { requeueAfter: deleteAfter }
          const { name, uid, resourceVersion } = request.metadata
          // A request that was decided a moment ago has another hour.
          const preconditions = { uid: uid!, resourceVersion: resourceVersion! }
          await unlessNotFound(client.resource(CertificateSigningRequest).delete(name!, { preconditions }))
          return undefined
        },
      }),
})
