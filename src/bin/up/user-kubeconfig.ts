import { resolve } from 'node:path'
import { type HostAccess, thisHost } from '../../client/host-access.js'
import type { Kubeconfig, Stanza } from '../../client/kubeconfig/kubeconfig.js'
import { kubeconfigSources, loadKubeconfig, type Sources } from '../../client/kubeconfig/sources.js'
import { defaultKubeconfigFile, modifyKubeconfig } from '../../client/kubeconfig/write.js'
import type { LocalCluster } from '../cluster/cluster.js'
import { foreignStanzas, marking, ownStanzas, type StanzaOwner } from './stanza-ownership.js'

export interface ContextOptions {
  /** Its name is the name of the context, of the context's cluster and of its user. */
  readonly cluster: LocalCluster
  /** The CA certificates of the cluster, in PEM form. */
  readonly authorities: readonly string[]
  /** The kubeconfig that holds the context; the user's own if undefined. */
  readonly to: string | undefined
  readonly host?: HostAccess
}

/** Throws if the kubeconfig has a context, cluster or user with the cluster's name that Proa did not write. */
export async function rejectForeignContext(options: ContextOptions): Promise<void> {
  const { host, sources, owner } = resolveOptions(options)
  const config = await loadKubeconfig(host, { ...sources, isExplicit: false })
  rejectForeign(config, owner, await defaultKubeconfigFile(host, sources))
}

function rejectForeign(config: Kubeconfig, owner: StanzaOwner, file: string): void {
  const [foreign] = foreignStanzas(config, owner)
  if (!foreign) return
  throw new Error(
    `${foreign.file ?? file} already has a ${foreign.kind} named ${owner.name} that Proa did not write; ` +
      'choose another --name, or another file with --kubeconfig',
  )
}

/**
 * Adds the cluster to a kubeconfig as a context, and makes it the current one. Preserves everything else in the file, and replaces nothing
 * that Proa did not write. `from` is the kubeconfig of the cluster's administrator. Resolves with the absolute path of the file.
 */
export async function addContext(options: ContextOptions & { readonly from: string }): Promise<string> {
  const { from } = options
  const { host, sources, owner } = resolveOptions(options)
  const { name } = owner
  const own = await loadKubeconfig(host, kubeconfigSources(host, from))
  const file = await defaultKubeconfigFile(host, sources)
  const settings = <T>(stanzas: ReadonlyMap<string, Stanza<T>>): Stanza<T> => {
    const [first] = stanzas.values()
    if (!first) throw new Error(`${from} was changed after Proa wrote it; delete it and start the cluster again`)
    return { settings: { ...first.settings, ...marking(owner) } }
  }
  await modifyKubeconfig(host, sources, (config) => {
    rejectForeign(config, owner, file)
    return {
      ...config,
      clusters: withStanza(config.clusters, name, settings(own.clusters)),
      users: withStanza(config.users, name, settings(own.users)),
      contexts: withStanza(config.contexts, name, { settings: { cluster: name, user: name, ...marking(owner) } }),
      'current-context': name,
    }
  })
  return resolve(host.workingDirectory, file)
}

/**
 * Removes the context, its cluster and its user, if Proa wrote them. If it was the current context, there is none afterwards: Proa does not
 * know the previous one.
 */
export async function removeContext(options: ContextOptions): Promise<void> {
  const { host, sources, owner } = resolveOptions(options)
  const { name } = owner
  const present = await Promise.all(
    sources.files.map((file) => host.files.exists(resolve(host.workingDirectory, file))),
  )
  if (!present.includes(true)) return
  await modifyKubeconfig(host, sources, (config) => {
    const own = ownStanzas(config, owner)
    const without = <T>(kind: keyof typeof own, stanzas: ReadonlyMap<string, Stanza<T>>) =>
      own[kind] ? withStanza(stanzas, name, undefined) : stanzas
    const isCurrent = config['current-context'] === name && own.contexts
    return {
      ...config,
      clusters: without('clusters', config.clusters),
      users: without('users', config.users),
      contexts: without('contexts', config.contexts),
      'current-context': isCurrent ? '' : config['current-context'],
    }
  })
}

function resolveOptions({ cluster, authorities, to, host = thisHost() }: ContextOptions) {
  const sources: Sources = kubeconfigSources(host, to)
  const owner: StanzaOwner = { ...cluster, authorities }
  return { host, sources, owner }
}

/** Returns the stanzas with one replaced or removed. A replaced stanza stays in the same file. */
function withStanza<T>(stanzas: ReadonlyMap<string, Stanza<T>>, name: string, stanza: Stanza<T> | undefined) {
  const all = new Map(stanzas)
  const before = all.get(name)
  if (stanza) all.set(name, before?.file === undefined ? stanza : { ...stanza, file: before.file })
  else all.delete(name)
  return all
}
