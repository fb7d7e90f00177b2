import { dirname, isAbsolute, resolve } from 'node:path'
import { fileError, type HostAccess } from '../host-access.js'
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser, Stanza, Stanzas } from './kubeconfig.js'

type FileAccess = Pick<HostAccess, 'files' | 'workingDirectory'>

/**
 * Replaces paths of certificates and keys with their content, so that the file can be copied to another host. The result contains secrets
 * that were in other files.
 */
export async function flattenKubeconfig(config: Kubeconfig, host: FileAccess): Promise<Kubeconfig> {
  const cluster = (stanza: Stanza<KubeconfigCluster>) => inlined(stanza, ['certificate-authority'], host)
  const user = (stanza: Stanza<KubeconfigUser>) => inlined(stanza, ['client-certificate', 'client-key'], host)
  const users = await each(config.users, user)
  return { ...config, clusters: await each(config.clusters, cluster), users }
}

async function each<T>(stanzas: Stanzas<T>, change: (stanza: Stanza<T>) => Promise<T>): Promise<Stanzas<T>> {
  const entries = [...stanzas].map(
    async ([name, stanza]): Promise<[string, Stanza<T>]> => [name, { ...stanza, settings: await change(stanza) }],
  )
  return new Map(await Promise.all(entries))
}

/** Data in the kubeconfig takes precedence over a file. */
async function inlined<T extends object>(
  { settings, file = '' }: Stanza<T>,
  names: readonly (keyof T & string)[],
  { files, workingDirectory }: FileAccess,
): Promise<T> {
  const result = { ...settings } as Record<string, unknown>
  const content = async (path: string) => {
    const whole = isAbsolute(path) ? path : resolve(workingDirectory, dirname(file), path)
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
