import { boolean, csvList, repeated, signedInteger, text } from '../base/flags/flag-types.js'
import type { FlagValues } from '../base/flags/flags.js'
import type { ConnectionFlags } from '../client/kubeconfig/flags.js'

/** The flags of every command. */
export const globalFlags = {
  as: text('Act as this user; a service account is one, too'),
  'as-group': repeated('Act as a member of this group; may be repeated'),
  'as-uid': text('Act as the one with this UID'),
  'as-user-extra': repeated('Act with these extra facts about the user'),
  'cache-dir': text('Folder for what is kept between calls', { initial: '$HOME/.kube/cache' }),
  'certificate-authority': text('File with the certificate by which the server is known'),
  'client-certificate': text('File with the certificate that is shown to the server'),
  'client-key': text('File with the key of that certificate'),
  cluster: text('Cluster of the kubeconfig to use'),
  context: text('Context of the kubeconfig to use'),
  'disable-compression': boolean('Have answers come uncompressed'),
  'insecure-skip-tls-verify': boolean('Take anybody for the server: for trials only'),
  kubeconfig: text('The kubeconfig to use, and no other'),
  'log-flush-frequency': text('Accepted, and without effect', { initial: '5s' }),
  'match-server-version': boolean('Refuse to work with a server of another version'),
  namespace: text('Namespace to work in', { short: 'n' }),
  password: text('Password for basic authentication', { isHidden: true }),
  'profile-output': text('Accepted, and without effect', { initial: 'profile.pprof', isHidden: true }),
  profile: text('Accepted, and without effect', { initial: 'none', isHidden: true }),
  'request-timeout': text('How long one request may take; 0 for no limit', { initial: '0' }),
  server: text('Address of the API server', { short: 's' }),
  'tls-server-name': text('Name that the certificate of the server must be for'),
  token: text('Bearer token to show to the server'),
  user: text('User of the kubeconfig to be'),
  username: text('Name for basic authentication', { isHidden: true }),
  v: signedInteger('How much is told about the requests: 6 and more', { short: 'v' }),
  vmodule: csvList('Accepted, and without effect'),
  'warnings-as-errors': boolean('Fail where the server warns'),
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
