import { join } from 'node:path'
import type { Clock } from '../../base/clock.js'
import type { Discovered } from '../../client/discovery/discovered.js'
import type { Discover } from '../../client/discovery/discovery.js'
import { fetchNamed, type GroupList } from '../../client/discovery/separate.js'
import { groupList, resourceLists } from './discovery-files.js'

/** Files of the cache; for a cache, what cannot be read is not there and what cannot be written is let be. */
export interface CacheFiles {
  /** Undefined where there is none, or none that is young enough. */
  read(path: string, notBefore: number): Promise<string | undefined>
  write(path: string, content: string): Promise<void>
}

export interface DiskDiscoveryOptions {
  /** `~/.kube/cache/discovery` */
  readonly folder: string
  readonly server: string
  readonly files: CacheFiles
  readonly clock: Clock
}

/** For how long what was learned counts, in milliseconds. */
const lifetime = 6 * 3_600_000

/**
 * Keeps what was learned on disk as the original keeps it, so that both can use the same files: one list of groups, and one list of
 * resources for each version. The server is asked where something is missing or old, and at most once in the life of a command.
 */
export function discoverByDisk(discover: Discover, options: DiskDiscoveryOptions): Discover {
  const folder = join(options.folder, folderOf(options.server))
  let fresh: Promise<Discovered> | undefined
  let kept: Promise<Discovered | undefined> | undefined
  const ask = async () => {
    const discovered = await discover({ isFresh: true })
    await write(discovered, folder, options.files)
    return discovered
  }
  return async ({ isFresh = false } = {}) => {
    if (fresh) return fresh
    if (!isFresh) {
      kept ??= read(folder, options)
      const known = await kept
      if (known) return known
    }
    fresh ??= ask()
    return fresh
  }
}

/** `127.0.0.1_6443`: the address without its scheme, and without what could be trouble in the name of a file. */
function folderOf(server: string): string {
  return server.replace(/^https?:\/\//, '').replace(/[^\w/.()]/g, '_')
}

/** Undefined where a part of it is missing. */
async function read(folder: string, { files, clock }: DiskDiscoveryOptions): Promise<Discovered | undefined> {
  const notBefore = clock.now() - lifetime
  const text = await files.read(join(folder, 'servergroups.json'), notBefore)
  if (text === undefined) return undefined
  const fetch = async (path: string) => {
    const content = await files.read(join(folder, pathOf(path), 'serverresources.json'), notBefore)
    if (content === undefined) throw new Error(`nothing is known about ${path}`)
    return JSON.parse(content) as unknown
  }
  const discovered = await fetchNamed(JSON.parse(text) as GroupList, fetch)
  return discovered.failures.length === 0 ? discovered : undefined
}

/** `apps/v1` of `/apis/apps/v1`, `v1` of `/api/v1` */
function pathOf(path: string): string {
  return path.replace(/^\/apis?\//, '')
}

async function write(discovered: Discovered, folder: string, files: CacheFiles): Promise<void> {
  const lists = resourceLists(discovered)
  const writes = lists.map((list) =>
    files.write(join(folder, list.groupVersion, 'serverresources.json'), JSON.stringify(list)),
  )
  await Promise.all([...writes, files.write(join(folder, 'servergroups.json'), JSON.stringify(groupList(discovered)))])
}
