import { join } from 'node:path'
import { findProgram, isExecutable, programFolders } from '../../base/programs.js'

/** The programs that a private containerd needs. */
export interface ContainerPrograms {
  readonly containerd: string
  readonly ctr: string
  readonly runc: string
  /** The folder of the reference CNI plugins. */
  readonly networkPlugins: string
}

/** Of Debian, of most others, and of Fedora. */
const pluginFolders = ['/usr/lib/cni', '/opt/cni/bin', '/usr/libexec/cni']

export type FoundPrograms = { readonly found: ContainerPrograms } | { readonly missing: readonly string[] }

/** Finds the programs, or returns the names of the missing ones. */
export function findPrograms(path = process.env.PATH ?? ''): FoundPrograms {
  const folders = programFolders(path)
  const [containerd, ctr, runc, ip] = ['containerd', 'ctr', 'runc', 'ip'].map((name) => findProgram(name, folders))
  const networkPlugins = pluginFolders.find((folder) => isExecutable(join(folder, 'bridge')))
  if (containerd && ctr && runc && ip && networkPlugins) return { found: { containerd, ctr, runc, networkPlugins } }
  const all = { containerd, ctr, runc, ip, 'the CNI plugins': networkPlugins }
  return { missing: Object.entries(all).flatMap(([name, path]) => (path ? [] : [name])) }
}
