import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Service } from '../../api/core/v1/service.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { parsedKey } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { concernsServiceOf, slicesOf } from '../services/endpoint-slices.js'
import { recycled, SliceError, writeSlices } from '../services/writing-slices.js'
import { type Mirrored, manager, mirror } from './mirror.js'

export interface MirroringOptions {
  readonly workers?: number | undefined
  /** How many addresses of a subset are mirrored. */
  readonly limit?: number | undefined
}

/** Copies the addresses that somebody wrote for a service without selector into slices, for clients that know nothing else. */
export function endpointSliceMirroringController({ workers = 5, limit = 1000 }: MirroringOptions = {}): Controller {
  return controller('endpoint_slice_mirroring')
    .for(Endpoints)
    .watches(Service, ({ object: { metadata } }) => [`${metadata.namespace}/${metadata.name}`])
    .watches(EndpointSlice, concernsServiceOf(manager))
    .workers(workers)
    .reconcile((key, context) => reconcileMirror(key, context, limit))
}

const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'

async function reconcileMirror(key: string, context: ReconcileContext, limit: number): Promise<void> {
  const { informers } = context
  const endpoints = informers.of(Endpoints).get(key)
  const service = informers.of(Service).get(key)
  const slices = slicesOf(informers, key, manager)
  const isMirrored = endpoints && isMeant(endpoints) && service && Object.keys(service.spec.selector ?? {}).length === 0
  if (!isMirrored) return write({ create: [], update: [], remove: slices }, { key, mayCreate: false, context })
  const mirrored = mirror(endpoints, slices, limit)
  tell(mirrored, { endpoints, limit, context })
  const mayCreate = endpoints.metadata.deletionTimestamp === undefined
  await write(
    recycled(mirrored, () => true),
    { key, mayCreate, context },
  )
}

/** Somebody may ask for it not to be mirrored; and what elections are held with are no addresses. */
function isMeant({ metadata }: Endpoints): boolean {
  return metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined
}

interface Telling {
  readonly endpoints: Endpoints
  readonly limit: number
  readonly context: ReconcileContext
}

function tell({ invalid, skipped }: Mirrored, { endpoints: about, limit, context: { events } }: Telling): void {
  if (invalid > 0) {
    const message = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`
    events.record({ about, type: 'Warning', reason: 'InvalidIPAddress', message })
  }
  if (skipped > invalid) {
    const most = `A max of ${limit} addresses can be mirrored to EndpointSlices per Endpoints subset.`
    const message = `${most} ${skipped} addresses were skipped`
    events.record({ about, type: 'Warning', reason: 'TooManyAddressesToMirror', message })
  }
}

interface Writing {
  readonly key: string
  readonly mayCreate: boolean
  readonly context: ReconcileContext
}

async function write(changes: Parameters<typeof writeSlices>[0], { key, mayCreate, context }: Writing): Promise<void> {
  const { namespace } = parsedKey(key)
  try {
    await writeSlices(changes, { client: context.client, namespace, owner: `Endpoints ${key}`, mayCreate })
  } catch (error) {
    throw error instanceof SliceError ? error.cause : error
  }
}
