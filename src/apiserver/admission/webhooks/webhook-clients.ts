import type { WebhookClientConfig } from '../../../api/admissionregistration/v1/webhook-client.js'
import { type OutgoingClient, outgoingClient } from '../../outgoing/outgoing-client.js'
import type { Credentials } from '../../outgoing/webhook-config.js'
import type { CredentialsFor } from './credentials.js'
import type { HostPort, ServiceResolver } from './service-address.js'

/** A connection to a webhook. */
export interface AdmissionWebhookClient {
  /** The URL of the configuration, for messages. */
  readonly url: string
  readonly send: OutgoingClient
  readonly headers: Readonly<Record<string, string>>
  /** Returns the current address. Throws if there is none. */
  readonly address: () => string | Promise<string>
}

export interface WebhookClientDependencies {
  readonly resolve: ServiceResolver
  readonly credentials: CredentialsFor
}

/** Upper bound of cached clients, because configurations come and go. */
const maxClients = 200
const httpsPort = 443

/** Creates and caches clients. Webhooks with the same address and authority share one. */
export class WebhookClients {
  readonly #dependencies: WebhookClientDependencies
  /** Most recently used last. */
  readonly #clients = new Map<string, Promise<AdmissionWebhookClient>>()

  constructor(dependencies: WebhookClientDependencies) {
    this.#dependencies = dependencies
  }

  of(config: WebhookClientConfig): Promise<AdmissionWebhookClient> {
    const key = JSON.stringify([config.url, config.service, config.caBundle])
    const client = this.#clients.get(key) ?? this.#createCached(key, config)
    this.#clients.delete(key)
    this.#clients.set(key, client)
    const [oldest] = this.#clients.keys()
    if (this.#clients.size > maxClients) this.#clients.delete(oldest!)
    return client
  }

  /** Does not cache failures. */
  #createCached(key: string, config: WebhookClientConfig): Promise<AdmissionWebhookClient> {
    const client = this.#create(config)
    client.catch(() => this.#clients.delete(key))
    return client
  }

  async #create(config: WebhookClientConfig): Promise<AdmissionWebhookClient> {
    const ca = Buffer.from(config.caBundle ?? '', 'base64').toString()
    return config.service ? this.#forService(config.service, ca) : this.#forUrl(config.url ?? '', ca)
  }

  async #forUrl(url: string, ca: string): Promise<AdmissionWebhookClient> {
    if (url === '') throw new Error('webhook configuration must have either service or URL')
    const { hostname, port, pathname, host } = new URL(url)
    const credentials = await this.#dependencies.credentials(`${hostname}:${port || httpsPort}`)
    const whole = `https://${host}${pathname}`
    return { url: whole, ...connection(credentials, { ca }), address: () => whole }
  }

  async #forService(service: NonNullable<WebhookClientConfig['service']>, ca: string): Promise<AdmissionWebhookClient> {
    const { name, namespace, path = '', port = httpsPort } = service
    const servername = `${name}.${namespace}.svc`
    const credentials = await this.#dependencies.credentials(`${servername}:${port}`)
    const { send, headers } = connection(credentials, { ca, servername })
    const rest = path === '' ? '/' : path
    return {
      url: `https://${servername}:${port}${rest}`,
      send,
      headers: { ...headers, host: `${servername}:${port}` },
      address: async () => `https://${hostText(await this.#dependencies.resolve({ name, namespace, port }))}${rest}`,
    }
  }
}

/** A webhook without a CA bundle is verified by the public authorities. */
function connection(
  { cert, key, authorization }: Credentials,
  { ca, servername }: { readonly ca: string; readonly servername?: string },
): Pick<AdmissionWebhookClient, 'send' | 'headers'> {
  const send = outgoingClient({
    ...(ca !== '' && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(servername !== undefined && { servername }),
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, */*',
    'user-agent': 'kube-apiserver-admission',
    ...(authorization !== undefined && { authorization }),
  }
  return { send, headers }
}

function hostText({ host, port }: HostPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
