import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What a containerd of one's own takes. */
export interface ContainerPrograms {
  readonly containerd: string
  readonly ctr: string
  readonly runc: string
  /** The folder of the reference CNI plugins. */
  readonly networkPlugins: string
}

/** Where administrators' programs are, which a user's PATH often lacks. */
const usualFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
/** Debian's place, everybody else's, and that of Fedora. */
const pluginFolders = ['/usr/lib/cni', '/opt/cni/bin', '/usr/libexec/cni']

export type FoundPrograms = { readonly found: ContainerPrograms } | { readonly missing: readonly string[] }

/** Looks for the programs, and says which are missing. */
export function findPrograms(path = process.env.PATH ?? ''): FoundPrograms {
  const folders = [...path.split(delimiter).filter(Boolean), ...usualFolders]
  const inFolders = (name: string) => folders.map((folder) => join(folder, name)).find(isExecutable)
  const [containerd, ctr, runc] = ['containerd', 'ctr', 'runc'].map(inFolders)
  const networkPlugins = pluginFolders.find((folder) => isExecutable(join(folder, 'bridge')))
  if (containerd && ctr && runc && networkPlugins) return { found: { containerd, ctr, runc, networkPlugins } }
  const all = { containerd, ctr, runc, 'the CNI plugins': networkPlugins }
  return { missing: Object.entries(all).flatMap(([name, path]) => (path ? [] : [name])) }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
