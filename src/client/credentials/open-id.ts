import type { Environment } from '../../base/environment.js'
import { quote } from '../../schema/quote.js'
import { basicAuthorization } from '../../wire/http/proxy-tunnel.js'
import type { PersistAuthProvider } from '../connection-config.js'
import type { Files, HostAccess } from '../host-access.js'
import { systemRoots } from '../https/system-roots.js'
import { SingleFlight } from '../single-flight.js'
import { bearer, type Credential, type CredentialSource } from './credential.js'
import { type PemSource, readPem } from './files.js'
import { requestJson } from './json-request.js'

/** The settings of the auth provider `oidc` in a kubeconfig. */
type Settings = Readonly<Record<string, string>>

/** Milliseconds before the expiry at which a token is renewed, because clocks differ. */
const leeway = 10_000

export interface OpenIdCredentialDependencies {
  readonly files: Pick<Files, 'read'>
  readonly variables: HostAccess['variables']
  readonly environment: Pick<Environment, 'clock'>
  /** Stores new tokens in the kubeconfig: refresh tokens may work only once. */
  readonly persist?: PersistAuthProvider | undefined
}

/** Tokens of an OpenID Connect issuer, renewed by a refresh token when they expire. */
export class OpenIdSource implements CredentialSource {
  readonly #dependencies: OpenIdCredentialDependencies
  readonly #attempts = new SingleFlight<Settings>()
  #settings: Settings
  #credential: Credential = {}

  constructor(settings: Settings, dependencies: OpenIdCredentialDependencies) {
    for (const name of ['idp-issuer-url', 'client-id']) if (!settings[name]) throw new Error(`Must provide ${name}`)
    this.#settings = settings
    this.#dependencies = dependencies
  }

  async current(signal?: AbortSignal): Promise<Credential> {
    if (!this.#isValid()) this.#settings = await this.#attempts.run((stop) => this.#refreshed(stop), signal)
    const authorization = bearer(this.#settings['id-token']!)
    if (this.#credential.authorization !== authorization) this.#credential = { authorization }
    return this.#credential
  }

  /** Does nothing: another token of the same issuer would be rejected as well. */
  async rejected(): Promise<void> {}

  #isValid(): boolean {
    const { 'id-token': token } = this.#settings
    return token ? expiryOf(token) > this.#dependencies.environment.clock.now() + leeway : false
  }

  async #refreshed(signal: AbortSignal): Promise<Settings> {
    const { 'refresh-token': refreshToken } = this.#settings
    if (!refreshToken) throw new Error('No valid id-token, and cannot refresh without refresh-token')
    const authority = await this.#authority()
    const endpoint = await tokenEndpoint(this.#settings['idp-issuer-url']!, authority, signal)
    const response = await requestToken({ endpoint, authority, settings: this.#settings, signal })
    const settings = withTokens(this.#settings, response)
    await this.#dependencies.persist?.(settings).catch((error: unknown) => {
      throw new Error(`could not persist new tokens: ${(error as Error).message}`)
    })
    return settings
  }

  async #authority(): Promise<string | undefined> {
    const { 'idp-certificate-authority-data': data, 'idp-certificate-authority': path } = this.#settings
    if (!data && !path) return systemRoots(this.#dependencies)
    const part: PemSource = data ? { pem: Buffer.from(data, 'base64').toString() } : { path: path! }
    return readPem(part, this.#dependencies.files)
  }
}

/** Returns milliseconds since the epoch. Does not verify the token: the server does. */
function expiryOf(token: string): number {
  const parts = token.split('.')
  if (parts.length !== 3) throw new Error('ID Token is not a valid JWT')
  try {
    const { exp } = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString()) as { readonly exp?: unknown }
    return typeof exp === 'number' ? exp * 1000 : 0
  } catch {
    throw new Error('parsing claims: the ID Token holds no JSON') // the parser's own message would quote it
  }
}

async function tokenEndpoint(issuer: string, authority: string | undefined, signal: AbortSignal): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { status, statusText, value, text } = await requestJson({ url, authority, signal })
  if (status !== 200) {
    const beginning = text.length > 80 ? `${text.slice(0, 80)}...` : text
    throw new Error(`oidc: failed to query metadata endpoint ${statusText}: ${quote(beginning)}`)
  }
  if (typeof value !== 'object' || value === null)
    throw new Error('oidc: failed to decode provider discovery object: it is no JSON object')
  const { token_endpoint: endpoint } = value as { readonly token_endpoint?: unknown }
  if (typeof endpoint !== 'string' || endpoint === '')
    throw new Error("oidc: discovery object doesn't contain a token_endpoint")
  return endpoint
}

interface TokenRequest {
  readonly endpoint: string
  readonly authority: string | undefined
  readonly settings: Settings
  readonly signal: AbortSignal
}

interface TokenResponse {
  readonly id_token?: unknown
  readonly refresh_token?: unknown
}

/** Tries the client's secret in a header, then in the form: issuers accept only one, and do not say which. */
async function requestToken({ endpoint, authority, settings, signal }: TokenRequest): Promise<TokenResponse> {
  const { 'client-id': id = '', 'client-secret': secret = '', 'refresh-token': refreshToken = '' } = settings
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const exchange = { url: endpoint, authority, signal }
  const authorization = basicAuthorization(encodeURIComponent(id), encodeURIComponent(secret))
  const first = await requestJson({ ...exchange, authorization, form: new URLSearchParams(grant) })
  if (isToken(first)) return first.value
  const form = new URLSearchParams({ ...grant, client_id: id, ...(secret && { client_secret: secret }) })
  const second = await requestJson({ ...exchange, form })
  if (isToken(second)) return second.value
  throw new Error(`failed to refresh token: oauth2: cannot fetch token: ${second.statusText}`)
}

function isToken<A extends { readonly status: number; readonly value: unknown }>(
  response: A,
): response is A & { readonly value: TokenResponse } {
  return (
    response.status >= 200 && response.status < 300 && typeof response.value === 'object' && response.value !== null
  )
}

function withTokens(settings: Settings, { id_token: token, refresh_token: next }: TokenResponse): Settings {
  if (typeof token !== 'string')
    throw new Error(
      'token response did not contain an id_token, either the scope "openid" wasn\'t requested upon login, or the provider doesn\'t support id_tokens as part of the refresh response',
    )
  return { ...settings, 'id-token': token, ...(typeof next === 'string' && next && { 'refresh-token': next }) }
}
