import { resolve } from 'node:path'
import { type HostAccess, thisHost } from '../../client/host-access.js'
import type { Kubeconfig, Stanza } from '../../client/kubeconfig/kubeconfig.js'
import { kubeconfigSources, loadKubeconfig, type Sources } from '../../client/kubeconfig/sources.js'
import { defaultKubeconfigFile, modifyKubeconfig } from '../../client/kubeconfig/write.js'
import type { LocalCluster } from '../cluster/cluster.js'
import { foreignStanzas, marking, ownStanzas, type StanzaOwner } from './stanza-ownership.js'

export interface ContextOptions {
  /** Its name is that of the context, its cluster and its user. */
  readonly cluster: LocalCluster
  /** The certificates by which the cluster is known, in PEM form. */
  readonly authorities: readonly string[]
  /** The kubeconfig that holds the context; the user's own if undefined. */
  readonly to: string | undefined
  readonly machine?: HostAccess
}

/** Throws where the user's kubeconfig has something of the cluster's name that Proa did not write. */
export async function refuseForeignContext(options: ContextOptions): Promise<void> {
  const { machine, sources, owner } = parts(options)
  const config = await loadKubeconfig(machine, { ...sources, isExplicit: false })
  refuse(config, owner, await defaultKubeconfigFile(machine, sources))
}

function refuse(config: Kubeconfig, owner: StanzaOwner, file: string): void {
  const [foreign] = foreignStanzas(config, owner)
  if (!foreign) return
  throw new Error(
    `${foreign.file ?? file} already has a ${foreign.kind} named ${owner.name} that Proa did not write; ` +
      'choose another --name, or another file with --kubeconfig',
  )
}

/**
 * Adds the cluster to a kubeconfig as a context, and makes it the current one. All else in the file stays as it is, and nothing that Proa
 * did not write is replaced. `from` is the kubeconfig of the cluster's administrator. Resolves with the absolute path of the file.
 */
export async function addContext(options: ContextOptions & { readonly from: string }): Promise<string> {
  const { from } = options
  const { machine, sources, owner } = parts(options)
  const { name } = owner
  const own = await loadKubeconfig(machine, kubeconfigSources(machine, from))
  const file = await defaultKubeconfigFile(machine, sources)
  const settings = <T>(stanzas: ReadonlyMap<string, Stanza<T>>): Stanza<T> => {
    const [first] = stanzas.values()
    if (!first) throw new Error(`${from} is not as Proa wrote it; delete it and start the cluster again`)
    return { settings: { ...first.settings, ...marking(owner) } }
  }
  await modifyKubeconfig(machine, sources, (config) => {
    refuse(config, owner, file)
    return {
      ...config,
      clusters: withStanza(config.clusters, name, settings(own.clusters)),
      users: withStanza(config.users, name, settings(own.users)),
      contexts: withStanza(config.contexts, name, { settings: { cluster: name, user: name, ...marking(owner) } }),
      'current-context': name,
    }
  })
  return resolve(machine.workingDirectory, file)
}

/**
 * Takes the context out again, with its cluster and its user, where Proa wrote them. The current context before is not known: there is
 * none afterwards, if it was this one.
 */
export async function removeContext(options: ContextOptions): Promise<void> {
  const { machine, sources, owner } = parts(options)
  const { name } = owner
  const present = await Promise.all(
    sources.files.map((file) => machine.files.exists(resolve(machine.workingDirectory, file))),
  )
  if (!present.includes(true)) return
  await modifyKubeconfig(machine, sources, (config) => {
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

function parts({ cluster, authorities, to, machine = thisHost() }: ContextOptions) {
  const sources: Sources = kubeconfigSources(machine, to)
  const owner: StanzaOwner = { ...cluster, authorities }
  return { machine, sources, owner }
}

/** One that was there stays in the file in which it was. */
function withStanza<T>(stanzas: ReadonlyMap<string, Stanza<T>>, name: string, stanza: Stanza<T> | undefined) {
  const all = new Map(stanzas)
  const before = all.get(name)
  if (stanza) all.set(name, before?.file === undefined ? stanza : { ...stanza, file: before.file })
  else all.delete(name)
  return all
}
