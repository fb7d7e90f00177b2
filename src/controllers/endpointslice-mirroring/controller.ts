import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Service } from '../../api/core/v1/service.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { integer } from '../../base/flags/flag-types.js'
import { parseKey } from '../../client/informers/informer.js'
import { defineController, recordEvents, workersFlag } from '../definition.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { serviceOfSlice, slicesOfService } from '../services/endpoint-slices.js'
import { SliceError, writeSlices } from '../services/slice-writes.js'
import { decide, type MirroringDecision, type MirroringObservation, mirroringManager } from './decide.js'

/** Mirrors the Endpoints that users write for services without selector into slices, for clients that read only slices. */
export const definition = defineController({
  name: 'endpointslice-mirroring-controller',
  alias: 'endpointslicemirroring',
  queue: 'endpoint_slice_mirroring',
  eventSource: 'endpoint-slice-mirroring-controller',
  serviceAccount: 'endpointslicemirroring-controller',
  rules: [
    'get list watch on endpoints services of core',
    'update on services/finalizers of core',
    'update on endpoints/finalizers of core',
    'create delete get list update watch on endpointslices of discovery.k8s.io',
    recordEvents,
  ],
  flags: {
    'mirroring-concurrent-service-endpoint-syncs': workersFlag('Endpoints objects', 5),
    'mirroring-max-endpoints-per-subset': integer('How many addresses of a subset are mirrored at most.', {
      placeholder: 'COUNT',
      ...{ initial: 1000, least: 1, most: 1000 },
    }),
  },
  create(controller, { flags }) {
    const limit = flags['mirroring-max-endpoints-per-subset']
    return controller
      .for(Endpoints)
      .watches(Service, ({ object: { metadata } }) => [`${metadata.namespace}/${metadata.name}`])
      .watches(EndpointSlice, serviceOfSlice(mirroringManager))
      .workers(flags['mirroring-concurrent-service-endpoint-syncs'])
      .reconcile({
        async observe(key, { informers }) {
          const endpoints = informers.of(Endpoints).get(key)
          const service = informers.of(Service).get(key)
          return { key, endpoints, service, slices: slicesOfService(informers, key, mirroringManager), limit }
        },
        decide,
        async act(decision, observation, context) {
          recordWarnings(decision, observation, context)
          await write(decision, observation.key, context)
        },
      })
  },
})

function recordWarnings(
  { invalid, skipped }: MirroringDecision,
  { endpoints, limit }: MirroringObservation,
  { events }: ReconcileContext,
): void {
  const warn = (reason: string, message: string) => {
    events.record({ about: endpoints!, type: 'Warning', reason, message })
  }
  if (invalid > 0) warn('InvalidIPAddress', `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`)
  if (skipped > invalid) {
    const most = `A max of ${limit} addresses can be mirrored to EndpointSlices per Endpoints subset.`
    warn('TooManyAddressesToMirror', `${most} ${skipped} addresses were skipped`)
  }
}

async function write(
  { changes, mayCreate }: MirroringDecision,
  key: string,
  { client }: ReconcileContext,
): Promise<void> {
  try {
    const { namespace } = parseKey(key)
    await writeSlices(changes, { client, namespace, owner: `Endpoints ${key}`, mayCreate })
  } catch (error) {
    throw error instanceof SliceError ? error.cause : error
  }
}
