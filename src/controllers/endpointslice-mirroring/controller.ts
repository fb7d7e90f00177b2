import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Service } from '../../api/core/v1/service.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { parsedKey } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { World } from '../runtime/reconcile.js'
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
    .reconcile((key, world) => reconcileMirror(key, world, limit))
}

const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'

async function reconcileMirror(key: string, world: World, limit: number): Promise<void> {
  const { informers } = world
  const endpoints = informers.of(Endpoints).get(key)
  const service = informers.of(Service).get(key)
  const slices = slicesOf(informers, key, manager)
  const isMirrored = endpoints && isMeant(endpoints) && service && Object.keys(service.spec.selector ?? {}).length === 0
  if (!isMirrored) return write({ create: [], update: [], remove: slices }, { key, mayCreate: false, world })
  const mirrored = mirror(endpoints, slices, limit)
  tell(mirrored, { endpoints, limit, world })
  const mayCreate = endpoints.metadata.deletionTimestamp === undefined
  await write(
    recycled(mirrored, () => true),
    { key, mayCreate, world },
  )
}

/** Somebody may ask for it not to be mirrored; and what elections are held with are no addresses. */
function isMeant({ metadata }: Endpoints): boolean {
  return metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined
}

interface Telling {
  readonly endpoints: Endpoints
  readonly limit: number
  readonly world: World
}

function tell({ invalid, skipped }: Mirrored, { endpoints: about, limit, world: { events } }: Telling): void {
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
  readonly world: World
}

async function write(changes: Parameters<typeof writeSlices>[0], { key, mayCreate, world }: Writing): Promise<void> {
  const { namespace } = parsedKey(key)
  try {
    await writeSlices(changes, { client: world.client, namespace, owner: `Endpoints ${key}`, mayCreate })
  } catch (error) {
    throw error instanceof SliceError ? error.cause : error
  }
}
