import { parseDuration, toMilliseconds } from '../../base/duration.js'
import type { ConnectionConfig, PersistAuthProvider } from '../connection-config.js'
import type { HostAccess } from '../host-access.js'
import { type Choice, choose } from './choose.js'
import { EmptyConfigurationError } from './configuration-error.js'
import type { ConnectionFlags } from './flags.js'
import { inClusterConnection, isInCluster } from './in-cluster.js'
import type { Kubeconfig } from './kubeconfig.js'
import { checkUsable } from './problems.js'
import { kubeconfigSources, loadKubeconfig, type Sources } from './sources.js'
import { modifyKubeconfig } from './write.js'

export interface ResolveOptions {
  readonly flags?: ConnectionFlags
  /** A file that alone counts. */
  readonly kubeconfig?: string
  /** Where the server is when nobody says it and this is no pod: kubectl's is `KUBERNETES_MASTER`, or `http://localhost:8080`. */
  readonly defaultServer?: string
  readonly warn?: (warning: string) => void
}

/** From flags and files; where these say nothing about the server, as the pod that this runs in. Throws where none of that will do. */
export async function resolveConnection(host: HostAccess, options: ResolveOptions = {}): Promise<ConnectionConfig> {
  const { flags = {}, kubeconfig = '', defaultServer, warn } = options
  const sources = kubeconfigSources(host, kubeconfig)
  const config = await loadKubeconfig(host, sources, { ...(warn && { warn }) })
  const usable = async (server?: string) => {
    const choice = choose(config, { flags, folder: host.workingDirectory, ...(server && { defaultServer: server }) })
    await checkUsable(config, choice, host.files)
    return connectionOf(choice, flags, persister(host, sources, choice))
  }
  try {
    return await usable()
  } catch (error) {
    if (!(error instanceof EmptyConfigurationError)) throw error
    if (await isInCluster(host)) return withFlags(await inClusterConnection(host), flags)
    if (defaultServer === undefined) throw error
    return usable(defaultServer)
  }
}

function connectionOf(choice: Choice, flags: ConnectionFlags, persist: PersistAuthProvider): ConnectionConfig {
  const { cluster, user, context } = choice
  return {
    server: serverUrl(cluster.server!),
    namespace: context.namespace || 'default',
    cluster,
    user,
    ...timeoutOf(flags),
    ...(user['auth-provider'] && { persist }),
  }
}

/** A pod can be told another server, token or authority, and a namespace. */
function withFlags({ server, namespace, cluster, user }: ConnectionConfig, flags: ConnectionFlags): ConnectionConfig {
  const authority = flags['certificate-authority']
  return {
    server: flags.server ? serverUrl(flags.server) : server,
    namespace: flags.namespace || namespace,
    cluster: { ...cluster, ...(authority && { 'certificate-authority': authority }) },
    user: flags.token ? { token: flags.token } : user,
    ...timeoutOf(flags),
  }
}

/** A server may be named without its scheme, and is then a plain one; what follows its path does not count. */
function serverUrl(server: string): string {
  const url = server.includes('://') ? server : `http://${server}`
  if (!URL.canParse(url)) throw new Error(`host must be a URL or a host:port pair: ${JSON.stringify(server)}`)
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

function timeoutOf({ 'request-timeout': text = '' }: ConnectionFlags): { readonly timeout?: number } {
  const timeout = text === '' ? 0 : parseTimeout(text)
  return timeout > 0 ? { timeout } : {}
}

/** In milliseconds; 0 for none. */
export function parseTimeout(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000
  try {
    return toMilliseconds(parseDuration(text))
  } catch (error) {
    const form = 'a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)'
    throw new Error(`Invalid timeout value. Timeout must be ${form}`, { cause: error })
  }
}

function persister(host: HostAccess, sources: Sources, { userName }: Choice): PersistAuthProvider {
  return (settings) => modifyKubeconfig(host, sources, (config) => withProviderConfig(config, userName, settings))
}

/** Unless somebody took the provider out of the file meanwhile. */
function withProviderConfig(config: Kubeconfig, name: string, settings: Readonly<Record<string, string>>): Kubeconfig {
  const stanza = config.users.get(name)
  const provider = stanza?.settings['auth-provider']
  if (!stanza || !provider) return config
  const user = { ...stanza.settings, 'auth-provider': { ...provider, config: settings } }
  return { ...config, users: new Map(config.users).set(name, { ...stanza, settings: user }) }
}
