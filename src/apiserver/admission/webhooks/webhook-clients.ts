import type { WebhookClientConfig } from '../../../api/admissionregistration/v1/webhook-client.js'
import { type OutgoingClient, outgoingClient } from '../../outgoing/outgoing-client.js'
import type { Credentials } from '../../outgoing/webhook-config.js'
import type { CredentialsFor } from './credentials.js'
import type { HostPort, ServiceResolver } from './service-address.js'

/** How a webhook is reached. */
export interface AdmissionWebhookClient {
  /** As its configuration names it, which is not always where it is. */
  readonly url: string
  readonly send: OutgoingClient
  readonly headers: Readonly<Record<string, string>>
  /** Where it is now. Throws, in a sentence, where that cannot be told. */
  readonly address: () => string | Promise<string>
}

export interface WebhookClientParts {
  readonly resolve: ServiceResolver
  readonly credentials: CredentialsFor
}

/** More are not kept: webhooks come and go, and their connections with them. */
const mostClients = 200
const httpsPort = 443

/** Webhooks in the same place and with the same authority share their connections. */
export class WebhookClients {
  readonly #parts: WebhookClientParts
  /** Who was asked last comes last. */
  readonly #clients = new Map<string, Promise<AdmissionWebhookClient>>()

  constructor(parts: WebhookClientParts) {
    this.#parts = parts
  }

  of(config: WebhookClientConfig): Promise<AdmissionWebhookClient> {
    const key = JSON.stringify([config.url, config.service, config.caBundle])
    const client = this.#clients.get(key) ?? this.#made(key, config)
    this.#clients.delete(key)
    this.#clients.set(key, client)
    const [oldest] = this.#clients.keys()
    if (this.#clients.size > mostClients) this.#clients.delete(oldest!)
    return client
  }

  /** What failed is tried anew the next time. */
  #made(key: string, config: WebhookClientConfig): Promise<AdmissionWebhookClient> {
    const client = this.#make(config)
    client.catch(() => this.#clients.delete(key))
    return client
  }

  async #make(config: WebhookClientConfig): Promise<AdmissionWebhookClient> {
    const ca = Buffer.from(config.caBundle ?? '', 'base64').toString()
    return config.service ? this.#forService(config.service, ca) : this.#forUrl(config.url ?? '', ca)
  }

  async #forUrl(url: string, ca: string): Promise<AdmissionWebhookClient> {
    if (url === '') throw new Error('webhook configuration must have either service or URL')
    const { hostname, port, pathname, host } = new URL(url)
    const credentials = await this.#parts.credentials(`${hostname}:${port || httpsPort}`)
    const whole = `https://${host}${pathname}`
    return { url: whole, ...connection(credentials, { ca }), address: () => whole }
  }

  async #forService(service: NonNullable<WebhookClientConfig['service']>, ca: string): Promise<AdmissionWebhookClient> {
    const { name, namespace, path = '', port = httpsPort } = service
    const servername = `${name}.${namespace}.svc`
    const credentials = await this.#parts.credentials(`${servername}:${port}`)
    const { send, headers } = connection(credentials, { ca, servername })
    const rest = path === '' ? '/' : path
    return {
      url: `https://${servername}:${port}${rest}`,
      send,
      headers: { ...headers, host: `${servername}:${port}` },
      address: async () => `https://${hostText(await this.#parts.resolve({ name, namespace, port }))}${rest}`,
    }
  }
}

/** Without an authority of its own a webhook is known by those that everybody trusts. */
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
