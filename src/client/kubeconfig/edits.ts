import { dirname, resolve } from 'node:path'
import { fileError } from '../file-error.js'
import { isMissing, type Machine } from '../machine.js'
import { formatKubeconfig } from './format.js'
import { type Cluster, emptyKubeconfig, type Kubeconfig, type User } from './kubeconfig.js'
import { relativeCluster, relativeUser } from './paths.js'
import { readKubeconfigFile } from './sources.js'

export type FileAccess = Pick<Machine, 'files' | 'folder'>
export type Section = 'clusters' | 'users' | 'contexts'

/** Files that are being changed: each is read once, and written once at the end. */
export class Edits {
  readonly #machine: FileAccess
  readonly #relativePaths: boolean
  readonly #changed = new Map<string, Kubeconfig>()

  constructor(machine: FileAccess, relativePaths: boolean) {
    this.#machine = machine
    this.#relativePaths = relativePaths
  }

  /** As it stands, changes so far included; empty where there is no such file yet. */
  async read(file: string): Promise<Kubeconfig> {
    const known = this.#changed.get(file)
    if (known) return known
    try {
      return await readKubeconfigFile(this.#machine, file)
    } catch (error) {
      if (isMissing(error)) return emptyKubeconfig
      throw error
    }
  }

  async change(file: string, change: (config: Kubeconfig) => Kubeconfig): Promise<void> {
    this.#changed.set(file, change(await this.read(file)))
  }

  /** A stanza as it goes into a file. */
  settings<T extends object>(section: Section, settings: T, file: string): T {
    if (!this.#relativePaths) return settings
    const folder = dirname(resolve(this.#machine.folder, file))
    if (section === 'clusters') return relativeCluster(settings as Cluster, folder) as T
    return section === 'users' ? (relativeUser(settings as User, folder) as T) : settings
  }

  async write(): Promise<void> {
    const { files, folder } = this.#machine
    for (const [file, config] of this.#changed)
      await files.replace(resolve(folder, file), await formatKubeconfig(config))
  }
}

/** Keeps everybody else who asks from writing these files. Always in the same order, so that two do not wait for each other. */
export async function lockFiles(
  { files, folder }: FileAccess,
  names: readonly string[],
): Promise<{ readonly release: () => Promise<void> }> {
  const held: string[] = []
  const release = async () => {
    for (const path of held) await files.remove(path)
  }
  for (const name of [...names].sort()) {
    const path = `${resolve(folder, name)}.lock`
    try {
      await files.claim(path)
      held.push(path)
    } catch (error) {
      await release()
      throw fileError('open', path, error)
    }
  }
  return { release }
}
