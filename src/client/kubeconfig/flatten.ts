import { dirname, isAbsolute, resolve } from 'node:path'
import { fileError } from '../file-error.js'
import type { Machine } from '../machine.js'
import type { Cluster, Kubeconfig, Stanza, Stanzas, User } from './kubeconfig.js'

type FileAccess = Pick<Machine, 'files' | 'folder'>

/**
 * With the certificates and keys of other files in it, so that it can be carried to another machine. All else stays as it is written.
 * Holds secrets that were not in it before.
 */
export async function flattenKubeconfig(config: Kubeconfig, machine: FileAccess): Promise<Kubeconfig> {
  const cluster = (stanza: Stanza<Cluster>) => inlined(stanza, ['certificate-authority'], machine)
  const user = (stanza: Stanza<User>) => inlined(stanza, ['client-certificate', 'client-key'], machine)
  const users = await each(config.users, user)
  return { ...config, clusters: await each(config.clusters, cluster), users }
}

async function each<T>(stanzas: Stanzas<T>, change: (stanza: Stanza<T>) => Promise<T>): Promise<Stanzas<T>> {
  const entries = [...stanzas].map(
    async ([name, stanza]): Promise<[string, Stanza<T>]> => [name, { ...stanza, settings: await change(stanza) }],
  )
  return new Map(await Promise.all(entries))
}

/** What stands in the kubeconfig already goes before the file. */
async function inlined<T extends object>(
  { settings, file = '' }: Stanza<T>,
  names: readonly (keyof T & string)[],
  { files, folder }: FileAccess,
): Promise<T> {
  const result = { ...settings } as Record<string, unknown>
  const content = async (path: string) => {
    const whole = isAbsolute(path) ? path : resolve(folder, dirname(file), path)
    const text = await files.read(whole).catch((error: unknown) => {
      throw fileError('open', whole, error)
    })
    return Buffer.from(text).toString('base64')
  }
  for (const name of names) {
    const path = result[name] as string | undefined
    if (path && !result[`${name}-data`]) result[`${name}-data`] = await content(path)
    delete result[name]
  }
  return result as T
}
