import { readFileSync } from 'node:fs'
import type { Environment } from '../../base/environment.js'
import type { ApiServerOptions, OpenIdFlags } from '../options.js'
import { outgoingClient } from '../outgoing/outgoing-client.js'
import { webhookClient } from '../outgoing/webhook-client.js'
import { loadWebhookConfig } from '../outgoing/webhook-config.js'
import type { ServerCredentials } from '../serving/credentials/server-credentials.js'
import type { Authenticator, TokenAuthenticator } from './authenticator.js'
import { isIssuedByBundle } from './authorities.js'
import { loadBasicAuthFile } from './basic-auth-file.js'
import { bootstrapTokenAuthenticator } from './bootstrap-token.js'
import { type AuthenticatorChainOptions, authenticatorChain } from './chain.js'
import type { LabelledCredentialObjects } from './credential-objects.js'
import { frontProxyAuthenticator } from './front-proxy.js'
import type { VerifyingKey } from './jwt/verify.js'
import { openIdAuthenticator } from './open-id/authenticator.js'
import { serviceAccountAuthenticator } from './service-accounts/authenticator.js'
import { tokenUses } from './service-accounts/token-uses.js'
import { loadTokenFile } from './token-file.js'
import { webhookTokenAuthenticator } from './webhook-token.js'

/** The authenticators of the server. */
export interface RequestAuthentication {
  readonly authenticators: readonly Authenticator[]
  /** The authenticators of bearer tokens; token reviews use them, too. */
  readonly tokens: readonly TokenAuthenticator[]
}

export interface AuthenticationSources {
  readonly options: ApiServerOptions
  /** Read at each use: authorities may change while the server runs. */
  readonly security: () => ServerCredentials
  /** The keys of service account tokens. */
  readonly keys: readonly VerifyingKey[]
  readonly environment: Environment
}

/** Reads all files that flags name, so that errors in them show at start. The returned function needs the objects of the cluster. */
export async function prepareAuthentication(
  sources: AuthenticationSources,
): Promise<(objects: LabelledCredentialObjects) => RequestAuthentication> {
  const { options, environment, keys } = sources
  const { tokenFile, basicAuthFile, bootstrapTokens, openId, webhook, anonymous } = options.authentication
  const { issuers, audiences } = options.serviceAccounts
  const { clock } = environment
  const before = tokenFile === undefined ? [] : [loadTokenFile(tokenFile)]
  const after: TokenAuthenticator[] = []
  if (openId) after.push(createOpenId(openId, environment))
  if (webhook) {
    const client = webhookClient(await loadWebhookConfig(webhook.configFile), environment)
    after.push(webhookTokenAuthenticator({ client, clock, version: webhook.version, ttl: webhook.cacheTtl, audiences }))
  }
  const basic = basicAuthFile === undefined ? {} : { basic: loadBasicAuthFile(basicAuthFile) }
  return (objects) => {
    const used = tokenUses(objects, environment)
    const serviceAccounts = serviceAccountAuthenticator({ clock, objects, keys, issuers, audiences, used })
    const bootstrap = bootstrapTokens ? [bootstrapTokenAuthenticator(objects, clock)] : []
    const tokens = [...before, serviceAccounts, ...bootstrap, ...after]
    return {
      tokens,
      authenticators: authenticatorChain({ clock, anonymous, tokens, ...basic, ...certificates(sources) }),
    }
  }
}

function createOpenId({ caFile, ...options }: OpenIdFlags, { clock }: Environment): TokenAuthenticator {
  const client = outgoingClient(caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') })
  return openIdAuthenticator({ ...options, client, clock })
}

/** With a front proxy, certificates of its authority must not authenticate clients, and vice versa. */
function certificates({
  options,
  security,
  environment,
}: AuthenticationSources): Pick<AuthenticatorChainOptions, 'accepts' | 'frontProxy'> {
  const { frontProxy } = options.authentication
  if (!frontProxy) return {}
  const accepts = isIssuedByBundle(() => security().frontProxyAuthority ?? '')
  return {
    accepts: isIssuedByBundle(() => security().clientAuthority),
    frontProxy: frontProxyAuthenticator({ ...frontProxy, accepts, clock: environment.clock }),
  }
}
