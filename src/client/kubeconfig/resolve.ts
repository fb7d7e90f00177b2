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
  /** If given, only this file is read. */
  readonly kubeconfig?: string
  /** The server outside of a pod if none is configured. kubectl uses `KUBERNETES_MASTER` or `http://localhost:8080`. */
  readonly defaultServer?: string
  readonly warn?: (warning: string) => void
}

/**
 * Resolves the connection from flags and files. If these name no server, uses the service account of the pod. Throws if there is no usable
 * configuration.
 */
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

/** Flags can override server, token, CA and namespace of a pod. */
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

/** A server without a scheme means HTTP. Query and fragment are dropped. */
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

/** Returns milliseconds; 0 for no timeout. */
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

/** Returns the configuration unchanged if the provider was removed from the file in the meantime. */
function withProviderConfig(config: Kubeconfig, name: string, settings: Readonly<Record<string, string>>): Kubeconfig {
  const stanza = config.users.get(name)
  const provider = stanza?.settings['auth-provider']
  if (!stanza || !provider) return config
  const user = { ...stanza.settings, 'auth-provider': { ...provider, config: settings } }
  return { ...config, users: new Map(config.users).set(name, { ...stanza, settings: user }) }
}
