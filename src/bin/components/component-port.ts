import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { TokenReview } from '../../api/authentication/v1/token-review.js'
import { SubjectAccessReview } from '../../api/authorization/v1/subject-access-review.js'
import { ApiError, internalError, unauthorized } from '../../api/errors.js'
import { BadCredentials } from '../../apiserver/authentication/authenticator.js'
import { bearerTokenAuthenticator } from '../../apiserver/authentication/bearer-token.js'
import { withAuthenticatedGroup } from '../../apiserver/authentication/stage.js'
import { webhookTokenAuthenticator } from '../../apiserver/authentication/webhook-token.js'
import type { AuthorizationAttributes } from '../../apiserver/authorization/authorizer.js'
import { denial } from '../../apiserver/authorization/denial.js'
import { WebhookAuthorizer } from '../../apiserver/authorization/webhook/webhook-authorizer.js'
import { Health, type HealthEndpoint, type ServerHealthCheck } from '../../apiserver/extensions/health.js'
import type { ApiRequest } from '../../apiserver/request/request-context.js'
import { anonymous, type RequestUser } from '../../apiserver/request/user.js'
import { type BytesResponse, textResponse } from '../../apiserver/response/response.js'
import { hostAddresses } from '../../apiserver/serving/host-addresses.js'
import type { RequestHandler } from '../../apiserver/serving/responder.js'
import type { ListeningServer } from '../../apiserver/serving/server.js'
import { serve } from '../../apiserver/serving/tls-server.js'
import type { Environment } from '../../base/environment.js'
import { integer, listFlag, optionalText, text as textFlag } from '../../base/flags/flag-types.js'
import { type FlagValues, UsageError } from '../../base/flags/flags.js'
import type { Client } from '../../client/client.js'
import { issue } from '../../wire/x509/certificate.js'
import type { X509KeyPair } from '../../wire/x509/issuer.js'

/** Upstream's flags for the port that serves health checks and metrics of a component. */
export function portFlags(standard: number) {
  return {
    'secure-port': integer('The HTTPS port for health checks and metrics. 0 turns it off.', {
      placeholder: 'PORT',
      initial: standard,
      most: 65_535,
    }),
    'bind-address': textFlag('The address to listen on.', { placeholder: 'ADDRESS', initial: '0.0.0.0' }),
    'tls-cert-file': optionalText('The TLS certificate of that port. By default a new one is created at each start.', {
      placeholder: 'FILE',
    }),
    'tls-private-key-file': optionalText('The private key of that certificate.', { placeholder: 'FILE' }),
    'authorization-always-allow-paths': listFlag('The paths that need no authorization.', {
      placeholder: 'PATH,…',
      initial: ['/healthz', '/readyz', '/livez'],
    }),
  }
}

export type PortFlags = FlagValues<ReturnType<typeof portFlags>>

export interface ComponentPortOptions {
  readonly flags: PortFlags
  /** Sends TokenReviews and SubjectAccessReviews to the API server. */
  readonly client: Client
  readonly environment: Environment
  readonly checks: readonly ServerHealthCheck[]
}

/** Serves health checks and metrics of a component. Resolves with undefined if the flags turn the port off. */
export async function openComponentPort(options: ComponentPortOptions): Promise<ListeningServer | undefined> {
  const { flags, environment } = options
  if (flags['secure-port'] === 0) return undefined
  const handle = handlerOf(options)
  const tls = credentialOf(flags, environment)
  return serve({ handle, tls, port: flags['secure-port'], address: flags['bind-address'], environment })
}

const day = 86_400_000

/** Reads the key pair, or creates a self-signed one for clients that do not verify it. */
function credentialOf(flags: PortFlags, environment: Environment): X509KeyPair {
  const [cert, key] = [flags['tls-cert-file'], flags['tls-private-key-file']]
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--tls-cert-file and --tls-private-key-file must be given together')
  if (cert !== undefined && key !== undefined)
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  const name = hostname().toLowerCase()
  const hosts = [name, 'localhost', '127.0.0.1', '::1', ...hostAddresses()]
  const notAfter = environment.clock.now() + 365 * day
  return issue({ commonName: name, use: 'server', hosts: [...new Set(hosts)], notAfter }, environment)
}

/** Milliseconds for which a review of the API server is cached, as upstream has it. */
const ttl = 10_000

function handlerOf({ flags, client, environment, checks }: ComponentPortOptions): RequestHandler {
  const { clock, log, metrics } = environment
  const reviewToken = (review: object) => client.resource(TokenReview).create({ metadata: {}, ...review })
  const reviewAccess = (review: object) => client.resource(SubjectAccessReview).create({ metadata: {}, ...review })
  const tokens = webhookTokenAuthenticator({ client: reviewToken, clock, version: 'v1', ttl, audiences: [] })
  const authorizer = new WebhookAuthorizer({
    ...{ name: 'API server', client: reviewAccess, clock, version: 'v1' },
    ...{ authorizedTtl: ttl, unauthorizedTtl: ttl, onFailure: 'deny' },
  })
  const health = new Health(checks, (name, error) => log.warn('health check failed', { name, error }))
  const open = new Set(flags['authorization-always-allow-paths'])
  const responseTo = async (request: ApiRequest): Promise<BytesResponse> => {
    const user = await userOf(request, bearerTokenAuthenticator([tokens]))
    const { path, method, query } = request
    if (!open.has(path)) await checkAccess(attributesOf(user, method, path), authorizer)
    if (method !== 'GET' && method !== 'HEAD') return textResponse(405, 'method not allowed\n')
    if (path === '/metrics') return textResponse(200, await metrics.text(), 'text/plain; version=0.0.4; charset=utf-8')
    const [, endpoint = '', ...rest] = path.split('/')
    const isHealth = ['healthz', 'livez', 'readyz'].includes(endpoint)
    const found = isHealth && (await health.response(endpoint as HealthEndpoint, rest.join('/'), query))
    return found || textResponse(404, 'not found\n')
  }
  return async (request, respond) => {
    const { code, contentType, bytes } = await responseTo(request).catch(errorResponse)
    const body = request.method === 'HEAD' ? new Uint8Array(0) : bytes
    respond.whole(code, ['content-type', contentType], body)
  }
}

async function userOf(request: ApiRequest, tokens: ReturnType<typeof bearerTokenAuthenticator>): Promise<RequestUser> {
  try {
    const user = await tokens.authenticate(request)
    return user ? withAuthenticatedGroup(user) : anonymous
  } catch (error) {
    if (error instanceof BadCredentials) throw unauthorized()
    throw error
  }
}

async function checkAccess(attributes: AuthorizationAttributes, authorizer: WebhookAuthorizer): Promise<void> {
  const { decision, reason, error } = await authorizer.authorize(attributes)
  if (decision === 'allow') return
  throw error === undefined ? denial(attributes, reason) : internalError(error)
}

function attributesOf(user: RequestUser, method: string, path: string): AuthorizationAttributes {
  const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
  return { user, verb: method.toLowerCase(), isResource: false, path, ...none }
}

function errorResponse(error: unknown): BytesResponse {
  if (!(error instanceof ApiError)) throw error
  const status = error.status()
  return textResponse(status.code ?? 500, `${JSON.stringify(status)}\n`, 'application/json')
}
