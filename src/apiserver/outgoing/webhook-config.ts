import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { HttpTlsOptions } from '../../wire/http/http-client.js'
import { parseYaml } from '../../wire/yaml.js'

/** The address of a webhook, and the credentials for it. */
export interface WebhookConfig {
  readonly url: string
  readonly tls: HttpTlsOptions
  /** The `Authorization` header. */
  readonly authorization?: string
}

/** The credentials of this server. */
export interface Credentials extends Pick<HttpTlsOptions, 'cert' | 'key'>, Pick<WebhookConfig, 'authorization'> {}

interface Named<T> {
  readonly name?: string
  readonly cluster?: T
  readonly user?: T
  readonly context?: { readonly cluster?: string; readonly user?: string }
}

type Settings = Readonly<Record<string, unknown>>

interface Kubeconfig {
  readonly clusters?: readonly Named<Settings>[]
  readonly users?: readonly Named<Settings>[]
  readonly contexts?: readonly Named<Settings>[]
  readonly 'current-context'?: string
}

/** Reads the current context of a kubeconfig file. Throws with a readable message if it has no server. */
export async function loadWebhookConfig(path: string): Promise<WebhookConfig> {
  const { value } = await parseYaml(readFileSync(path, 'utf8'))
  const config = (value ?? {}) as Kubeconfig
  const { clusters = [], users = [], contexts = [] } = config
  const current = contexts.find(({ name }) => name === config['current-context'])?.context
  const cluster = (current ? clusters.find(({ name }) => name === current.cluster) : clusters[0])?.cluster
  const user = (current ? users.find(({ name }) => name === current.user) : users[0])?.user ?? {}
  const url = text(cluster, 'server')
  if (!cluster || url === '' || !URL.canParse(url))
    throw new Error(`${path} has no address of the webhook: its current context must name a cluster with a server`)
  return { url, tls: tlsOf(cluster, user, dirname(path)), ...authorizationOf(user, dirname(path)) }
}

function text(settings: Settings | undefined, name: string): string {
  const value = settings?.[name]
  return typeof value === 'string' ? value : ''
}

/** Inline data takes precedence over a file. */
function content(settings: Settings, name: string, folder: string): string {
  const data = text(settings, `${name}-data`)
  if (data !== '') return Buffer.from(data, 'base64').toString()
  const file = text(settings, name)
  return file === '' ? '' : readFileSync(resolve(folder, file), 'utf8')
}

function tlsOf(cluster: Settings, user: Settings, folder: string): HttpTlsOptions {
  const ca = content(cluster, 'certificate-authority', folder)
  const servername = text(cluster, 'tls-server-name')
  return {
    ...(ca !== '' && { ca }),
    ...certificateOf(user, folder),
    ...(servername !== '' && { servername }),
    ...(cluster['insecure-skip-tls-verify'] === true && { insecure: true }),
  }
}

function certificateOf(user: Settings, folder: string): Pick<HttpTlsOptions, 'cert' | 'key'> {
  const cert = content(user, 'client-certificate', folder)
  const key = content(user, 'client-key', folder)
  return { ...(cert !== '' && { cert }), ...(key !== '' && { key }) }
}

/** The credentials of a kubeconfig user. Relative paths start at `folder`. */
export function credentialsOf(user: Settings, folder: string): Credentials {
  return { ...certificateOf(user, folder), ...authorizationOf(user, folder) }
}

function authorizationOf(user: Settings, folder: string): { readonly authorization?: string } {
  const file = text(user, 'tokenFile')
  const token = text(user, 'token') || (file === '' ? '' : readFileSync(resolve(folder, file), 'utf8').trim())
  if (token !== '') return { authorization: `Bearer ${token}` }
  const name = text(user, 'username')
  if (name === '') return {}
  return { authorization: `Basic ${Buffer.from(`${name}:${text(user, 'password')}`).toString('base64')}` }
}
