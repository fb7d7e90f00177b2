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
import { integer, list, optionalText, text as textFlag } from '../../base/flags/flag-types.js'
import { type FlagValues, UsageError } from '../../base/flags/flags.js'
import type { Client } from '../../client/client.js'
import { issue } from '../../wire/x509/certificate.js'
import type { X509KeyPair } from '../../wire/x509/issuer.js'

/** Upstream's names for the port on which a component says how it is. */
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
    'authorization-always-allow-paths': list('The paths that need no authorization.', {
      placeholder: 'PATH,…',
      initial: ['/healthz', '/readyz', '/livez'],
    }),
  }
}

export type PortFlags = FlagValues<ReturnType<typeof portFlags>>

export interface PortParts {
  readonly flags: PortFlags
  /** Asks the API server who somebody is, and what they may see. */
  readonly client: Client
  readonly environment: Environment
  readonly checks: readonly ServerHealthCheck[]
}

/** Serves health and metrics of a component. Undefined where it is not to. */
export async function openComponentPort(parts: PortParts): Promise<ListeningServer | undefined> {
  const { flags, environment } = parts
  if (flags['secure-port'] === 0) return undefined
  const handle = handlerOf(parts)
  const tls = credentialOf(flags, environment)
  return serve({ handle, tls, port: flags['secure-port'], address: flags['bind-address'], environment })
}

const day = 86_400_000

/** One that is made here is for those who do not ask who it is: nobody has signed it. */
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

/** How long an answer of the API server counts: upstream's. */
const ttl = 10_000

function handlerOf({ flags, client, environment, checks }: PortParts): RequestHandler {
  const { clock, log, metrics } = environment
  const reviewToken = (review: object) => client.resource(TokenReview).create({ metadata: {}, ...review })
  const reviewAccess = (review: object) => client.resource(SubjectAccessReview).create({ metadata: {}, ...review })
  const tokens = webhookTokenAuthenticator({ client: reviewToken, clock, version: 'v1', ttl, audiences: [] })
  const authorizer = new WebhookAuthorizer({
    ...{ name: 'API server', client: reviewAccess, clock, version: 'v1' },
    ...{ authorizedTtl: ttl, unauthorizedTtl: ttl, onFailure: 'deny' },
  })
  const health = new Health(checks, (name, error) => log.warn('a health check failed', { name, error }))
  const open = new Set(flags['authorization-always-allow-paths'])
  const answer = async (request: ApiRequest): Promise<BytesResponse> => {
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
    const { code, contentType, bytes } = await answer(request).catch(asAnswer)
    const nothing = new Uint8Array(0)
    respond.whole(code, ['content-type', contentType], request.method === 'HEAD' ? nothing : bytes)
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
  const { decision: verdict, reason, error: fault } = await authorizer.authorize(attributes)
  if (verdict !== 'allow' && fault !== undefined) throw internalError(fault)
  if (verdict !== 'allow') throw denial(attributes, reason)
}

function attributesOf(user: RequestUser, method: string, path: string): AuthorizationAttributes {
  const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
  return { user, verb: method.toLowerCase(), isResource: false, path, ...none }
}

function asAnswer(error: unknown): BytesResponse {
  if (!(error instanceof ApiError)) throw error
  const status = error.status()
  return textResponse(status.code ?? 500, `${JSON.stringify(status)}\n`, 'application/json')
}
