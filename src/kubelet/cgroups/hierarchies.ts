import { readFileSync } from 'node:fs'

/** A mounted cgroup hierarchy. Version 1 has several, each with some controllers. */
export interface Hierarchy {
  readonly folder: string
  readonly version: 1 | 2
  /** Available controllers. Empty for version 2, where every cgroup lists its own. */
  readonly controllers: readonly string[]
}

/**
 * Returns all mounted hierarchies, also those without controllers: the runtime puts containers into each of them, and all must be cleaned
 * up.
 */
export function mountedHierarchies(table = readFileSync('/proc/self/mountinfo', 'utf8')): readonly Hierarchy[] {
  const byControllers = new Map<string, Hierarchy>()
  for (const line of table.split('\n')) {
    const hierarchy = hierarchyOf(line)
    if (!hierarchy) continue
    const key = `${hierarchy.version} ${hierarchy.controllers.join()}`
    const known = byControllers.get(key)
    if (!known || hierarchy.folder.length < known.folder.length) byControllers.set(key, hierarchy)
  }
  return [...byControllers.values()]
}

function hierarchyOf(line: string): Hierarchy | undefined {
  const [location = '', kind = ''] = line.split(' - ')
  const folder = location.split(' ')[4] ?? ''
  const [type, , options = ''] = kind.split(' ')
  if (type === 'cgroup2') return { folder, version: 2, controllers: [] }
  if (type !== 'cgroup') return undefined
  return { folder, version: 1, controllers: options.split(',').filter((option) => !notControllers.has(option)) }
}

const notControllers: ReadonlySet<string> = new Set(['rw', 'ro', 'xattr', 'clone_children', 'noprefix', 'seclabel'])
