import type { AuthenticationOptions } from '../apiserver/options.js'
import { duration, list, optionalText, text, truth } from '../base/flags/flag-types.js'
import { type Flag, type FlagValues, UsageError } from '../base/flags/flags.js'
import { algorithmNames } from '../wire/jwt/algorithms.js'

/** Upstream's names for how a server knows who makes a request. */
export const authenticationFlags = {
  'token-auth-file': optionalText('Static tokens, one a line: token,user,uid,"group1,group2".', 'FILE'),
  'basic-auth-file': optionalText('Static passwords, one a line: password,user,uid,"group1,group2".', 'FILE'),
  'anonymous-auth': truth('Requests that show no credentials are those of system:anonymous.', true),
  'enable-bootstrap-token-auth': truth('Tokens in secrets of kube-system, by which nodes join, are accepted.', false),

  'oidc-issuer-url': optionalText('Accept tokens of the OpenID provider at this address.', 'URL'),
  'oidc-client-id': optionalText('For whom its tokens must be.', 'NAME'),
  'oidc-username-claim': text('What in its tokens is the name of the user.', 'CLAIM', 'sub'),
  'oidc-username-prefix': optionalText('What names of its users begin with; - for nothing.', 'PREFIX'),
  'oidc-groups-claim': optionalText("What in its tokens are the user's groups.", 'CLAIM'),
  'oidc-groups-prefix': optionalText('What names of its groups begin with.', 'PREFIX'),
  'oidc-required-claim': pairs('What its tokens must also say; may be given several times.'),
  'oidc-signing-algs': list('By which algorithms its tokens may be signed.', 'ALGORITHM,…', ['RS256']),
  'oidc-ca-file': optionalText('Authorities by which the provider is known.', 'FILE'),

  'authentication-token-webhook-config-file': optionalText('Ask the webhook of this kubeconfig about tokens.', 'FILE'),
  'authentication-token-webhook-cache-ttl': duration('How long its answers count.', 120_000),
  'authentication-token-webhook-version': text('In which version it is asked: v1 or v1beta1.', 'VERSION', 'v1beta1'),

  'requestheader-client-ca-file': optionalText('Authorities of proxies that say who their clients are.', 'FILE'),
  'requestheader-allowed-names': list('Common names that such a proxy may have; any, if none is given.', 'NAME,…'),
  'requestheader-username-headers': list('Headers in which it names the user.', 'HEADER,…', ['X-Remote-User']),
  'requestheader-uid-headers': list("Headers in which it tells the user's uid.", 'HEADER,…'),
  'requestheader-group-headers': list("Headers in which it names the user's groups.", 'HEADER,…', ['X-Remote-Group']),
  'requestheader-extra-headers-prefix': list('What other headers about the user begin with.', 'PREFIX,…', [
    'X-Remote-Extra-',
  ]),
}

export type AuthenticationFlags = FlagValues<typeof authenticationFlags>

/** `name=value`, separated by commas or given several times. */
function pairs(help: string): Flag<Readonly<Record<string, string>>> {
  const read = (texts: readonly string[]) =>
    Object.fromEntries(
      texts
        .flatMap((given) => given.split(','))
        .map((pair): [string, string] => {
          const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
          if (name === undefined || value === undefined) throw new UsageError('it must be NAME=VALUE')
          return [name.trim(), value]
        }),
    )
  return { help, placeholder: 'NAME=VALUE', defaultText: '', read }
}

export function authenticationOptions(flags: AuthenticationFlags, anonymous: boolean): AuthenticationOptions {
  return {
    anonymous,
    ...given('tokenFile', flags['token-auth-file']),
    ...given('basicAuthFile', flags['basic-auth-file']),
    bootstrapTokens: flags['enable-bootstrap-token-auth'],
    ...given('openId', openId(flags)),
    ...given('webhook', webhook(flags)),
    ...given('frontProxy', frontProxy(flags)),
  }
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]: Value })
}

function openId(flags: AuthenticationFlags): AuthenticationOptions['openId'] {
  const { 'oidc-issuer-url': issuer, 'oidc-client-id': clientId, 'oidc-signing-algs': algorithms } = flags
  if ((issuer === undefined) !== (clientId === undefined))
    throw new UsageError('--oidc-issuer-url and --oidc-client-id go together: give both or neither')
  if (issuer === undefined || clientId === undefined) return undefined
  if (!issuer.startsWith('https://') || !URL.canParse(issuer))
    throw new UsageError(`--oidc-issuer-url=${issuer} cannot be used: it must begin with https://`)
  const unknown = algorithms.find((name) => !algorithmNames.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`--oidc-signing-algs=${unknown} cannot be used: there are ${algorithmNames.join(', ')}`)
  return {
    issuer,
    clientId,
    usernameClaim: flags['oidc-username-claim'],
    ...given('usernamePrefix', flags['oidc-username-prefix']),
    ...given('groupsClaim', flags['oidc-groups-claim']),
    ...given('groupsPrefix', flags['oidc-groups-prefix']),
    requiredClaims: flags['oidc-required-claim'],
    algorithms,
    ...given('caFile', flags['oidc-ca-file']),
  }
}

function webhook(flags: AuthenticationFlags): AuthenticationOptions['webhook'] {
  const configFile = flags['authentication-token-webhook-config-file']
  if (configFile === undefined) return undefined
  const version = flags['authentication-token-webhook-version']
  if (version !== 'v1' && version !== 'v1beta1')
    throw new UsageError(`--authentication-token-webhook-version=${version} cannot be used: it must be v1 or v1beta1`)
  return { configFile, cacheTtl: flags['authentication-token-webhook-cache-ttl'], version }
}

function frontProxy(flags: AuthenticationFlags): AuthenticationOptions['frontProxy'] {
  const caFile = flags['requestheader-client-ca-file']
  if (caFile === undefined) return undefined
  return {
    caFile,
    allowedNames: flags['requestheader-allowed-names'],
    usernameHeaders: flags['requestheader-username-headers'],
    uidHeaders: flags['requestheader-uid-headers'],
    groupHeaders: flags['requestheader-group-headers'],
    extraHeaderPrefixes: flags['requestheader-extra-headers-prefix'],
  }
}
