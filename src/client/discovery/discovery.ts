import { hasReason } from '../../api/errors.js'
import type { Client } from '../client.js'
import { SingleFlight } from '../single-flight.js'
import { aggregatedTypes, isAggregated, readAggregated } from './aggregated.js'
import type { Discovered } from './discovered.js'
import { type Fetch, fetchCore, fetchNamed, type GroupList, type VersionList } from './separate.js'

/** Discovers what a server serves. The result may come from a cache. */
export type Discover = (options?: DiscoverOptions) => Promise<Discovered>

export interface DiscoverOptions {
  /** Ignores caches. */
  readonly isFresh?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Discovers with requests to the server: two if it supports aggregated discovery, otherwise one for each version. */
export function discoverBy(client: Client): Discover {
  return async ({ signal } = {}) => {
    const fetchBytes = async (path: string) => (await client.raw(path, {}, { accept: aggregatedTypes, signal })).bytes
    const fetch: Fetch = async (path) => parsed(await fetchBytes(path))
    const [core, named] = await Promise.all([
      fetchPart(fetchBytes, '/api', (list) => fetchCore(list as VersionList, fetch)),
      fetchPart(fetchBytes, '/apis', (list) => fetchNamed(list as GroupList, fetch)),
    ])
    return combined(core, named)
  }
}

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString())
}

/** By the bytes of an aggregated list: a server in this process responds with the same bytes as long as nothing changes. */
const readBefore = new WeakMap<Uint8Array, Discovered>()
/** By the core group: what it was combined with, and the result. */
const combinedBefore = new WeakMap<Discovered, { readonly named: Discovered; readonly result: Discovered }>()

/** Returns the same object for the same two parts, so that callers see that nothing has changed. */
function combined(core: Discovered, named: Discovered): Discovered {
  const before = combinedBefore.get(core)
  if (before?.named === named) return before.result
  const result = { groups: [...core.groups, ...named.groups], failures: [...core.failures, ...named.failures] }
  combinedBefore.set(core, { named, result })
  return result
}

/** A server may serve nothing under one of the two paths. */
async function fetchPart(
  fetchBytes: (path: string) => Promise<Uint8Array>,
  path: string,
  fetchSeparately: (list: unknown) => Promise<Discovered>,
): Promise<Discovered> {
  try {
    const bytes = await fetchBytes(path)
    const before = readBefore.get(bytes)
    if (before) return before
    const list = parsed(bytes)
    if (!isAggregated(list)) return await fetchSeparately(list)
    const discovered = readAggregated(list)
    readBefore.set(bytes, discovered)
    return discovered
  } catch (error) {
    if (hasReason(error, 'NotFound') || hasReason(error, 'Forbidden')) return { groups: [], failures: [] }
    throw error
  }
}

/** Caches the result in memory until a caller sets `isFresh`. Concurrent callers share one discovery. */
export function remembered(discover: Discover): Discover {
  const attempts = new SingleFlight<Discovered>()
  let known: Discovered | undefined
  return async ({ isFresh = false, signal } = {}) => {
    if (known && !isFresh) return known
    known = await attempts.run((stop) => discover({ isFresh, signal: stop }), signal)
    return known
  }
}
