import { dirname, resolve } from 'node:path'
import { fileError, type HostAccess, isMissing } from '../host-access.js'
import { formatKubeconfig } from './format.js'
import { emptyKubeconfig, type Kubeconfig, type KubeconfigCluster, type KubeconfigUser } from './kubeconfig.js'
import { relativeCluster, relativeUser } from './paths.js'
import { readKubeconfigFile } from './sources.js'

export type FileAccess = Pick<HostAccess, 'files' | 'workingDirectory'>
export type Section = 'clusters' | 'users' | 'contexts'

/** Files that are being changed. Each is read once, and written once at the end. */
export class Edits {
  readonly #host: FileAccess
  readonly #relativePaths: boolean
  readonly #changed = new Map<string, Kubeconfig>()

  constructor(host: FileAccess, relativePaths: boolean) {
    this.#host = host
    this.#relativePaths = relativePaths
  }

  /** Returns the current content with all changes so far; empty if the file does not exist. */
  async read(file: string): Promise<Kubeconfig> {
    const known = this.#changed.get(file)
    if (known) return known
    try {
      return await readKubeconfigFile(this.#host, file)
    } catch (error) {
      if (isMissing(error)) return emptyKubeconfig
      throw error
    }
  }

  async change(file: string, change: (config: Kubeconfig) => Kubeconfig): Promise<void> {
    this.#changed.set(file, change(await this.read(file)))
  }

  /** Returns the settings of an entry as they are written to a file. */
  settings<T extends object>(section: Section, settings: T, file: string): T {
    if (!this.#relativePaths) return settings
    const folder = dirname(resolve(this.#host.workingDirectory, file))
    if (section === 'clusters') return relativeCluster(settings as KubeconfigCluster, folder) as T
    return section === 'users' ? (relativeUser(settings as KubeconfigUser, folder) as T) : settings
  }

  async write(): Promise<void> {
    const { files, workingDirectory } = this.#host
    for (const [file, config] of this.#changed)
      await files.replace(resolve(workingDirectory, file), await formatKubeconfig(config))
  }
}

/** Locks the files against other writers that use the lock files. The order is always the same, so that there is no deadlock. */
export async function lockFiles(
  { files, workingDirectory }: FileAccess,
  names: readonly string[],
): Promise<{ readonly release: () => Promise<void> }> {
  const held: string[] = []
  const release = async () => {
    for (const path of held) await files.remove(path)
  }
  for (const name of [...names].sort()) {
    const path = `${resolve(workingDirectory, name)}.lock`
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
