import { hasReason } from '../../api/errors.js'
import type { Client } from '../client.js'
import { SingleFlight } from '../single-flight.js'
import { aggregatedTypes, isAggregated, readAggregated } from './aggregated.js'
import type { Discovered } from './discovered.js'
import { type Fetch, fetchCore, fetchNamed, type GroupList, type VersionList } from './separate.js'

/** Learns what a server serves; what was learned may have been kept somewhere. */
export type Discover = (options?: DiscoverOptions) => Promise<Discovered>

export interface DiscoverOptions {
  /** Whether the server must be asked, whatever was kept. */
  readonly isFresh?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Asks the server: in two requests where it can tell everything at once, else version by version. */
export function discoverBy(client: Client): Discover {
  return async ({ signal } = {}) => {
    const fetch: Fetch = async (path) => {
      const { bytes } = await client.raw(path, {}, { accept: aggregatedTypes, signal })
      return JSON.parse(Buffer.from(bytes).toString())
    }
    const [core, named] = await Promise.all([
      fetchPart(fetch, '/api', (list) => fetchCore(list as VersionList, fetch)),
      fetchPart(fetch, '/apis', (list) => fetchNamed(list as GroupList, fetch)),
    ])
    return { groups: [...core.groups, ...named.groups], failures: [...core.failures, ...named.failures] }
  }
}

/** A server may serve nothing under one of the two. */
async function fetchPart(
  fetch: Fetch,
  path: string,
  fetchSeparately: (list: unknown) => Promise<Discovered>,
): Promise<Discovered> {
  try {
    const list = await fetch(path)
    return isAggregated(list) ? readAggregated(list) : await fetchSeparately(list)
  } catch (error) {
    if (hasReason(error, 'NotFound') || hasReason(error, 'Forbidden')) return { groups: [], failures: [] }
    throw error
  }
}

/** Keeps what was learned, for those who ask again; `isFresh` learns it anew. Who asks at the same time gets the same answer. */
export function remembered(discover: Discover): Discover {
  const attempts = new SingleFlight<Discovered>()
  let known: Discovered | undefined
  return async ({ isFresh = false, signal } = {}) => {
    if (known && !isFresh) return known
    known = await attempts.run((stop) => discover({ isFresh, signal: stop }), signal)
    return known
  }
}
