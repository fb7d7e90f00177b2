import { compareText } from '../../schema/text-order.js'
import { formatYaml } from '../../wire/yaml.js'
import type { ExecPlugin, Extensions, Kubeconfig, KubeconfigUser, Stanzas } from './kubeconfig.js'

/** Returns the JSON form: maps become lists of named entries, sorted by name. */
export function kubeconfigJson(config: Kubeconfig): object {
  const { preferences, clusters, users, contexts, extensions } = config
  return {
    kind: 'Config',
    apiVersion: 'v1',
    preferences: withExtensions(preferences),
    clusters: listed(clusters, 'cluster', (cluster) => ({ server: '', ...withExtensions(cluster) })),
    users: listed(users, 'user', userJson),
    contexts: listed(contexts, 'context', (context) => ({ cluster: '', user: '', ...withExtensions(context) })),
    'current-context': config['current-context'],
    ...(extensions.size > 0 && { extensions: extensionList(extensions) }),
  }
}

export function formatKubeconfig(config: Kubeconfig): Promise<string> {
  return formatYaml(kubeconfigJson(config))
}

/** Returns `null` for an empty list, as upstream. */
function listed<T>(stanzas: Stanzas<T>, under: string, json: (settings: T) => object): readonly object[] | null {
  const names = [...stanzas.keys()].sort(compareText)
  if (names.length === 0) return null
  return names.map((name) => ({ name, [under]: json(stanzas.get(name)!.settings) }))
}

function userJson(user: KubeconfigUser): object {
  const { exec, 'auth-provider': provider } = user
  return {
    ...withExtensions(user),
    ...(provider && { 'auth-provider': { name: provider.name ?? '', config: provider.config ?? null } }),
    ...(exec && { exec: execJson(exec) }),
  }
}

function execJson({ command = '', args, env, apiVersion, installHint, ...rest }: ExecPlugin): object {
  const variables = env?.map(({ name = '', value = '' }) => ({ name, value }))
  const called = { command, args: args ?? null, env: variables ?? null }
  const hint = installHint === undefined ? {} : { installHint }
  return { ...called, ...(apiVersion !== undefined && { apiVersion }), ...hint, provideClusterInfo: false, ...rest }
}

function withExtensions<T extends { readonly extensions?: Extensions }>({ extensions, ...rest }: T): object {
  return { ...rest, ...(extensions && extensions.size > 0 && { extensions: extensionList(extensions) }) }
}

function extensionList(extensions: Extensions): readonly object[] {
  const names = [...extensions.keys()].sort(compareText)
  return names.map((name) => ({ name, extension: extensions.get(name) }))
}
