import type { Service } from '../../../api/core/v1/service.js'
import { defineAdmissionPlugin } from '../definition.js'
import { rejection } from '../rejection.js'
import { isFor, isWrite } from '../request.js'

/** Rejects new external IPs of services, which could capture the traffic of other hosts. Addresses that a service already has may stay. */
export const denyServiceExternalIps = defineAdmissionPlugin<Service>({
  name: 'DenyServiceExternalIPs',
  position: 310,
  create: () => ({
    handles: (request) => isWrite(request) && isFor(request, '', 'services'),
    validate(request) {
      const { externalIPs = [] } = request.object!.spec
      const before = request.old?.spec.externalIPs ?? []
      if (externalIPs.some((address) => !before.includes(address)))
        throw rejection(request, 'Use of external IPs is denied by admission control.')
    },
  }),
})
