import { boolean, csvList, repeated, signedInteger, text } from '../base/flags/flag-types.js'
import type { FlagValues } from '../base/flags/flags.js'
import type { ConnectionFlags } from '../client/kubeconfig/flags.js'

/** The flags of every command. */
export const globalFlags = {
  as: text('User or service account to impersonate'),
  'as-group': repeated('Group to impersonate; may be repeated'),
  'as-uid': text('UID to impersonate'),
  'as-user-extra': repeated('Extra fields of the user to impersonate'),
  'cache-dir': text('Directory of the cache', { initial: '$HOME/.kube/cache' }),
  'certificate-authority': text('File with the CA certificate of the server'),
  'client-certificate': text('File with the client certificate'),
  'client-key': text('File with the key of the client certificate'),
  cluster: text('The cluster of the kubeconfig to use'),
  context: text('The context of the kubeconfig to use'),
  'disable-compression': boolean('Request uncompressed responses'),
  'insecure-skip-tls-verify': boolean('Do not verify the certificate of the server; insecure'),
  kubeconfig: text('Path of the kubeconfig to use'),
  'log-flush-frequency': text('Accepted for compatibility; has no effect', { initial: '5s' }),
  'match-server-version': boolean('Fail if the server has another version'),
  namespace: text('The namespace to use', { short: 'n' }),
  password: text('Password for basic authentication', { isHidden: true }),
  'profile-output': text('Accepted for compatibility; has no effect', { initial: 'profile.pprof', isHidden: true }),
  profile: text('Accepted for compatibility; has no effect', { initial: 'none', isHidden: true }),
  'request-timeout': text('Timeout of a request; 0 for no limit', { initial: '0' }),
  server: text('Address of the API server', { short: 's' }),
  'tls-server-name': text('Host name that the certificate of the server must have'),
  token: text('Bearer token for authentication'),
  user: text('The user of the kubeconfig to use'),
  username: text('User name for basic authentication', { isHidden: true }),
  v: signedInteger('Log level; 6 and more log requests', { short: 'v' }),
  vmodule: csvList('Accepted for compatibility; has no effect'),
  'warnings-as-errors': boolean('Treat warnings of the server as errors'),
} as const

export type GlobalValues = FlagValues<typeof globalFlags>

/** The flags that choose the server and the user. An empty value counts as not given. */
export function connectionFlags(values: GlobalValues): ConnectionFlags {
  return { ...values, 'as-user-extra': extraOf(values['as-user-extra']) }
}

/** Groups `key=value` pairs by key. */
function extraOf(given: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, string[]>()
  for (const each of given) {
    const [key = '', ...value] = each.split('=')
    extra.set(key, [...(extra.get(key) ?? []), value.join('=')])
  }
  return Object.fromEntries(extra)
}
