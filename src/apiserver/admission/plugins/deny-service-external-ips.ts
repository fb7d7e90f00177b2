import type { Service } from '../../../api/core/v1/service.js'
import type { AdmissionPlugin } from '../admission.js'
import { rejection } from '../rejection.js'
import { isFor } from '../requests.js'

/** Nobody draws the traffic of addresses to himself that are not his; those that were given before may stay. */
export const denyServiceExternalIps: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  handles: (request) =>
    (request.operation === 'CREATE' || request.operation === 'UPDATE') && isFor(request, '', 'services'),
  validate(request) {
    const { externalIPs = [] } = (request.object as Service).spec
    const before = (request.old as Service | undefined)?.spec.externalIPs ?? []
    if (externalIPs.some((address) => !before.includes(address)))
      throw rejection(request, 'Use of external IPs is denied by admission control.')
  },
}
