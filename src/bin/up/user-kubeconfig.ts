import type { Kubeconfig, Stanza } from '../../client/kubeconfig/kubeconfig.js'
import { kubeconfigSources, loadKubeconfig } from '../../client/kubeconfig/sources.js'
import { defaultKubeconfigFile, modifyKubeconfig } from '../../client/kubeconfig/write.js'
import { type Machine, thisMachine } from '../../client/machine.js'

export interface ContextOptions {
  /** Of the cluster, its user and its context. */
  readonly name: string
  /** The administrator's kubeconfig that the API server wrote. */
  readonly from: string
  /** The file to add it to; the user's own unless told. */
  readonly to: string | undefined
  readonly machine?: Machine
}

/**
 * Adds the cluster to the user's kubeconfig as a context, and makes it the current one. All else in the file stays as it is. Gives
 * the file's name.
 */
export async function addContext({ name, from, to, machine = thisMachine() }: ContextOptions): Promise<string> {
  const own = await loadKubeconfig(machine, kubeconfigSources(machine, from))
  const sources = kubeconfigSources(machine, to)
  const settings = <T>(stanzas: ReadonlyMap<string, Stanza<T>>): Stanza<T> => {
    const [first] = stanzas.values()
    if (!first) throw new Error(`${from} is not as it was written; delete it, and start again`)
    return { settings: first.settings }
  }
  await modifyKubeconfig(machine, sources, (config) => ({
    ...config,
    clusters: withStanza(config.clusters, name, settings(own.clusters)),
    users: withStanza(config.users, name, settings(own.users)),
    contexts: withStanza(config.contexts, name, { settings: { cluster: name, user: name } }),
    'current-context': name,
  }))
  return defaultKubeconfigFile(machine, sources)
}

/** Takes it out again. What the current context was before is not known: there is none afterwards, if it was this one. */
export async function removeContext({
  name,
  to,
  machine = thisMachine(),
}: Omit<ContextOptions, 'from'>): Promise<void> {
  const sources = kubeconfigSources(machine, to)
  await modifyKubeconfig(machine, sources, (config) => ({
    ...config,
    clusters: withStanza(config.clusters, name, undefined),
    users: withStanza(config.users, name, undefined),
    contexts: withStanza(config.contexts, name, undefined),
    'current-context': config['current-context'] === name ? '' : config['current-context'],
  }))
}

/** One that was there stays in the file in which it was. */
function withStanza<T>(
  stanzas: Kubeconfig['clusters'] | ReadonlyMap<string, Stanza<T>>,
  name: string,
  stanza: Stanza<T> | undefined,
) {
  const all = new Map(stanzas as ReadonlyMap<string, Stanza<T>>)
  const before = all.get(name)
  if (stanza) all.set(name, before?.file === undefined ? stanza : { ...stanza, file: before.file })
  else all.delete(name)
  return all
}
