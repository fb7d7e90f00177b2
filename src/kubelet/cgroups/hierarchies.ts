import { readFileSync } from 'node:fs'

/** A tree of cgroups that is mounted somewhere. With version 1 there are several, each for some controllers. */
export interface Hierarchy {
  readonly folder: string
  readonly version: 1 | 2
  /** What can be limited there. Version 2 tells for each cgroup by itself, so this is empty for it. */
  readonly controllers: readonly string[]
}

/**
 * All that are mounted here. Those without controllers count as well: the runtime puts containers into each of them, and what is not
 * taken away there is left behind.
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
  const [place = '', kind = ''] = line.split(' - ')
  const folder = place.split(' ')[4] ?? ''
  const [type, , options = ''] = kind.split(' ')
  if (type === 'cgroup2') return { folder, version: 2, controllers: [] }
  if (type !== 'cgroup') return undefined
  return { folder, version: 1, controllers: options.split(',').filter((option) => !notControllers.has(option)) }
}

const notControllers: ReadonlySet<string> = new Set(['rw', 'ro', 'xattr', 'clone_children', 'noprefix', 'seclabel'])
