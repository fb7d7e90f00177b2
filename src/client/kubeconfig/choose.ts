import { quote } from '../../schema/quote.js'
import type { ConnectionFlags } from './flags.js'
import type { Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from './kubeconfig.js'
import { absoluteCluster, absoluteUser } from './paths.js'

/** The cluster, user and context that apply, with the flags merged in. */
export interface Choice {
  readonly contextName: string
  readonly context: KubeconfigContext
  readonly clusterName: string
  readonly cluster: KubeconfigCluster
  readonly userName: string
  readonly user: KubeconfigUser
}

export interface ChooseOptions {
  readonly flags: ConnectionFlags
  /** Relative paths in flags are resolved against this folder. */
  readonly folder: string
  /** Used if no server is configured. */
  readonly defaultServer?: string
}

/** Throws if a flag names an entry that does not exist. If a file names a missing entry, the result is empty: `checkUsable` reports it. */
export function choose(config: Kubeconfig, options: ChooseOptions): Choice {
  const { flags } = options
  const contextName = flags.context || config['current-context']
  const { settings: given } = config.contexts.get(contextName) ?? {}
  const context = given ?? {}
  const userName = flags.user || context.user || ''
  const clusterName = flags.cluster || context.cluster || ''
  if (flags.user && !config.users.has(userName)) throw new Error(`auth info ${quote(userName)} does not exist`)
  if (flags.context && !given) throw new Error(`context ${quote(contextName)} does not exist`)
  if (flags.cluster && !config.clusters.has(clusterName))
    throw new Error(`cluster ${quote(clusterName)} does not exist`)
  return {
    contextName,
    context: { ...context, ...filled({ cluster: flags.cluster, user: flags.user, namespace: flags.namespace }) },
    clusterName,
    cluster: chosenCluster(config.clusters.get(clusterName)?.settings ?? {}, options),
    userName,
    user: chosenUser(config.users.get(userName)?.settings ?? {}, options),
  }
}

/** A flag about trust replaces all trust settings of the file. The flag for the server removes the TLS server name of the file. */
function chosenCluster(cluster: KubeconfigCluster, { flags, folder, defaultServer }: ChooseOptions): KubeconfigCluster {
  const { server, 'certificate-authority': authority, 'insecure-skip-tls-verify': insecure } = flags
  const base: KubeconfigCluster = { ...filled({ server: defaultServer }), ...cluster }
  const trusting = insecure || authority ? without(base, trustFields) : base
  const naming = server || flags['tls-server-name'] ? without(trusting, ['tls-server-name']) : trusting
  const given = filled({
    server,
    'certificate-authority': authority,
    'insecure-skip-tls-verify': insecure,
    'tls-server-name': flags['tls-server-name'],
    'proxy-url': flags['proxy-url'],
    'disable-compression': flags['disable-compression'],
  })
  return { ...naming, ...absoluteCluster(given, folder) }
}

const trustFields = ['insecure-skip-tls-verify', 'certificate-authority', 'certificate-authority-data'] as const

/** A certificate, key or token in a flag replaces the one in the file, in either form. */
function chosenUser(user: KubeconfigUser, { flags, folder }: ChooseOptions): KubeconfigUser {
  const replaced = [
    ...(flags['client-certificate'] ? (['client-certificate-data'] as const) : []),
    ...(flags['client-key'] ? (['client-key-data'] as const) : []),
    ...(flags.token ? (['tokenFile'] as const) : []),
  ]
  const given = filled({
    'client-certificate': flags['client-certificate'],
    'client-key': flags['client-key'],
    token: flags.token,
    username: flags.username,
    password: flags.password,
    as: flags.as,
    'as-uid': flags['as-uid'],
    'as-groups': flags['as-group'],
    'as-user-extra': flags['as-user-extra'],
  })
  return { ...without(user, replaced), ...absoluteUser(given, folder) }
}

type Filled<T> = { readonly [Name in keyof T]?: NonNullable<T[Name]> }

/** Drops undefined and empty fields: an empty flag counts as not given. */
function filled<T extends object>(fields: T): Filled<T> {
  const given = Object.entries(fields).filter(([, value]) => value && !(Array.isArray(value) && value.length === 0))
  return Object.fromEntries(given) as Filled<T>
}

function without<T extends object>(value: T, names: readonly (keyof T)[]): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as keyof T))) as T
}
