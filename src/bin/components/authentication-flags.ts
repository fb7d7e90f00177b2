import type { AuthenticationOptions } from '../../apiserver/options.js'
import { boolean, duration, listFlag, optionalText, text } from '../../base/flags/flag-types.js'
import { type Flag, type FlagValues, UsageError } from '../../base/flags/flags.js'
import { algorithmNames } from '../../wire/jwt/algorithms.js'

/** Upstream's flags for authentication. */
export const authenticationFlags = {
  'token-auth-file': optionalText('Static tokens, one in each line: token,user,uid,"group1,group2".', {
    placeholder: 'FILE',
  }),
  'basic-auth-file': optionalText('Static passwords, one in each line: password,user,uid,"group1,group2".', {
    placeholder: 'FILE',
  }),
  'anonymous-auth': boolean('Accept requests without credentials, as the user system:anonymous.', { initial: true }),
  'enable-bootstrap-token-auth': boolean(
    'Accept bootstrap tokens, which are secrets in kube-system and let nodes join.',
  ),

  'oidc-issuer-url': optionalText('The URL of the OpenID Connect provider whose tokens are accepted.', {
    placeholder: 'URL',
  }),
  'oidc-client-id': optionalText('The client ID that OpenID tokens must be issued for.', { placeholder: 'NAME' }),
  'oidc-username-claim': text('The claim of an OpenID token that holds the user name.', {
    placeholder: 'CLAIM',
    initial: 'sub',
  }),
  'oidc-username-prefix': optionalText('The prefix of the user names of OpenID tokens. - is none.', {
    placeholder: 'PREFIX',
  }),
  'oidc-groups-claim': optionalText('The claim of an OpenID token that holds the groups of the user.', {
    placeholder: 'CLAIM',
  }),
  'oidc-groups-prefix': optionalText('The prefix of the groups of OpenID tokens.', { placeholder: 'PREFIX' }),
  'oidc-required-claim': pairs('A claim that OpenID tokens must have. It may be given several times.'),
  'oidc-signing-algs': listFlag('The algorithms that OpenID tokens may be signed with.', {
    placeholder: 'ALGORITHM,…',
    initial: ['RS256'],
  }),
  'oidc-ca-file': optionalText('The CA certificates that sign the certificate of the OpenID provider.', {
    placeholder: 'FILE',
  }),

  'authentication-token-webhook-config-file': optionalText('The kubeconfig of the webhook that authenticates tokens.', {
    placeholder: 'FILE',
  }),
  'authentication-token-webhook-cache-ttl': duration('How long the responses of that webhook are cached.', {
    initial: 120_000,
  }),
  'authentication-token-webhook-version': text(
    'The version of the TokenReview objects sent to that webhook: v1 or v1beta1.',
    { placeholder: 'VERSION', initial: 'v1beta1' },
  ),

  'requestheader-client-ca-file': optionalText(
    'The CA certificates of proxies that authenticate their clients and pass them on in headers.',
    { placeholder: 'FILE' },
  ),
  'requestheader-allowed-names': listFlag(
    'The common names that the certificate of such a proxy may have. Without it, any name.',
    { placeholder: 'NAME,…' },
  ),
  'requestheader-username-headers': listFlag('The headers of such a proxy that hold the user name.', {
    placeholder: 'HEADER,…',
    initial: ['X-Remote-User'],
  }),
  'requestheader-uid-headers': listFlag('The headers of such a proxy that hold the UID of the user.', {
    placeholder: 'HEADER,…',
  }),
  'requestheader-group-headers': listFlag('The headers of such a proxy that hold the groups of the user.', {
    placeholder: 'HEADER,…',
    initial: ['X-Remote-Group'],
  }),
  'requestheader-extra-headers-prefix': listFlag(
    'The prefixes of the headers of such a proxy that hold extra attributes of the user.',
    { placeholder: 'PREFIX,…', initial: ['X-Remote-Extra-'] },
  ),
}

export type AuthenticationFlags = FlagValues<typeof authenticationFlags>

/** A flag that takes `name=value` pairs, separated by commas or in several flags. */
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
