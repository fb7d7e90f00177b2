import { emptyKubeconfig, type Kubeconfig } from './kubeconfig.js'

/**
 * Merges several files. If an entry is in several files, the first one counts as a whole. The current context is that of the first file
 * that has one.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return configs.reduce(mergeTwo, emptyKubeconfig)
}

function mergeTwo(stronger: Kubeconfig, weaker: Kubeconfig): Kubeconfig {
  return {
    preferences: mergePreferences(stronger.preferences, weaker.preferences),
    clusters: mergeMaps(stronger.clusters, weaker.clusters),
    users: mergeMaps(stronger.users, weaker.users),
    contexts: mergeMaps(stronger.contexts, weaker.contexts),
    'current-context': stronger['current-context'] || weaker['current-context'],
    extensions: mergeMaps(stronger.extensions, weaker.extensions),
  }
}

function mergePreferences(stronger: Kubeconfig['preferences'], weaker: Kubeconfig['preferences']) {
  const extensions = mergeMaps(stronger.extensions, weaker.extensions)
  return { ...weaker, ...stronger, ...(extensions.size > 0 && { extensions }) }
}

function mergeMaps<T>(stronger: ReadonlyMap<string, T> = new Map(), weaker: ReadonlyMap<string, T> = new Map()) {
  return new Map([...weaker, ...stronger])
}
