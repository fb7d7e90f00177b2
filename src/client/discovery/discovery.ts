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

/** By the bytes of an aggregated list: a server in this process answers with the same ones while nothing changes. */
const readBefore = new WeakMap<Uint8Array, Discovered>()
/** By the core: what it was combined with, and the result. */
const combinedBefore = new WeakMap<Discovered, { readonly named: Discovered; readonly result: Discovered }>()

/** The same two parts give the same result, so that callers see that nothing has changed. */
function combined(core: Discovered, named: Discovered): Discovered {
  const before = combinedBefore.get(core)
  if (before?.named === named) return before.result
  const result = { groups: [...core.groups, ...named.groups], failures: [...core.failures, ...named.failures] }
  combinedBefore.set(core, { named, result })
  return result
}

/** A server may serve nothing under one of the two. */
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
