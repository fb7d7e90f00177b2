import { join } from 'node:path'
import type { Clock } from '../../base/clock.js'
import type { Discovered } from '../../client/discovery/discovered.js'
import type { Discover } from '../../client/discovery/discovery.js'
import { fetchNamed, type GroupList } from '../../client/discovery/separate.js'
import { groupList, resourceLists } from './discovery-files.js'

/** Files of the cache. Read and write errors are ignored. */
export interface CacheFiles {
  /** Returns undefined if the file is missing or older than `notBefore`. */
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

/** Milliseconds for which the cache is valid. */
const lifetime = 6 * 3_600_000

/**
 * Caches discovery on disk in the same files as upstream's kubectl, so that both can share them: one list of groups, and one list of
 * resources for each version. Queries the server if a file is missing or old, at most once in a command.
 */
export function discoverByDisk(discover: Discover, options: DiskDiscoveryOptions): Discover {
  const folder = join(options.folder, folderOf(options.server))
  let fresh: Promise<Discovered> | undefined
  let cached: Promise<Discovered | undefined> | undefined
  const ask = async () => {
    const discovered = await discover({ isFresh: true })
    await write(discovered, folder, options.files)
    return discovered
  }
  return async ({ isFresh = false } = {}) => {
    if (fresh) return fresh
    if (!isFresh) {
      cached ??= read(folder, options)
      const known = await cached
      if (known) return known
    }
    fresh ??= ask()
    return fresh
  }
}

/** Returns `127.0.0.1_6443`: the URL without its scheme and without characters that are unsafe in a file name. */
function folderOf(server: string): string {
  return server.replace(/^https?:\/\//, '').replace(/[^\w/.()]/g, '_')
}

/** Returns undefined if any file is missing. */
async function read(folder: string, { files, clock }: DiskDiscoveryOptions): Promise<Discovered | undefined> {
  const notBefore = clock.now() - lifetime
  const text = await files.read(join(folder, 'servergroups.json'), notBefore)
  if (text === undefined) return undefined
  const fetch = async (path: string) => {
    const content = await files.read(join(folder, pathOf(path), 'serverresources.json'), notBefore)
    if (content === undefined) throw new Error(`${path} is not cached`)
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
