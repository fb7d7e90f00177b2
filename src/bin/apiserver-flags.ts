import { describeGates, openGates } from '../api/feature-gates.js'
import { checkModes } from '../apiserver/authorization/chain.js'
import { readOrigins } from '../apiserver/cors.js'
import type { ApiServerOptions, PortRange } from '../apiserver/options.js'
import { parseCidr } from '../schema/ip-address.js'
import { admissionFlags, admissionOptions } from './admission-flags.js'
import { auditFlags, auditOptions } from './audit-flags.js'
import { authenticationFlags, authenticationOptions } from './authentication-flags.js'
import { authorizationFlags, authorizationOptions } from './authorization-flags.js'
import { clusterFlags } from './cluster/flags.js'
import { duration, integer, list, optionalText, text, truth, truthTable } from './flag-types.js'
import { type Flag, type FlagValues, UsageError } from './flags.js'

/** Upstream's names; `--help` shows them in this order. */
export const apiServerFlags = {
  'secure-port': integer('The port to serve on; 0 for any that is free.', 'PORT', { standard: 6443, most: 65_535 }),
  'bind-address': text('The address to serve on; 0.0.0.0 and :: mean all of them.', 'ADDRESS', '0.0.0.0'),
  'advertise-address': optionalText('The address under which others reach this server.', 'ADDRESS'),
  ...clusterFlags,

  'tls-cert-file': optionalText(
    'The certificate to serve with. Without it, one is made in the data directory.',
    'FILE',
  ),
  'tls-private-key-file': optionalText('The key of that certificate.', 'FILE'),
  'client-ca-file': optionalText('Authorities whose signature makes a client certificate count.', 'FILE'),
  ...authenticationFlags,
  ...authorizationFlags,

  'etcd-servers': list('Keep all objects in etcd at these addresses, and not in the data directory.', 'URL,…'),
  'etcd-prefix': text('What all keys in etcd begin with.', 'PREFIX', '/registry'),
  'etcd-cafile': optionalText('Authorities by which members of etcd are known.', 'FILE'),
  'etcd-certfile': optionalText('The certificate to show to etcd.', 'FILE'),
  'etcd-keyfile': optionalText('The key of that certificate.', 'FILE'),

  'encryption-provider-config': optionalText('Which objects are stored encrypted, and by which keys.', 'FILE'),

  'service-cluster-ip-range': list('The addresses of services; at most one range of each family.', 'CIDR,…', [
    '10.0.0.0/24',
  ]),
  'service-node-port-range': portRange('The ports of services on nodes.', { first: 30_000, last: 32_767 }),
  'service-account-issuer': list('Who issues tokens of service accounts; the first one is written into them.', 'URL', [
    'https://kubernetes.default.svc',
  ]),
  'service-account-key-file': list('Keys that tokens of service accounts are verified with.', 'FILE'),
  'service-account-max-token-expiration': duration('No token of a service account lasts longer; 0 for no limit.', 0),
  'service-account-extend-token-expiration': truth('Tokens that pods find mounted last for a year.', true),
  'service-account-jwks-uri': optionalText('Where others find these keys, if not at this server.', 'URL'),
  'service-account-signing-key-file': optionalText('The key that tokens of service accounts are signed with.', 'FILE'),
  'api-audiences': list('For whom tokens must be meant; the issuer, if it is not given.', 'NAME,…'),

  'kubelet-client-certificate': optionalText(
    'The certificate to show to kubelets. Without it, one is made in the data directory.',
    'FILE',
  ),
  'kubelet-client-key': optionalText('The key of that certificate.', 'FILE'),
  'kubelet-certificate-authority': optionalText('Authorities by which kubelets are known.', 'FILE'),
  'kubelet-preferred-address-types': list('By which of their addresses nodes are reached, the best first.', 'TYPE,…', [
    'Hostname',
    'InternalDNS',
    'InternalIP',
    'ExternalDNS',
    'ExternalIP',
  ]),

  ...auditFlags,

  'allow-privileged': truth('Privileged containers are allowed.', false),
  ...admissionFlags,
  'event-ttl': duration('How long events are kept.', 3_600_000),
  'request-timeout': duration('How long a request may take that is no watch and the like.', 60_000),
  'min-request-timeout': integer('Seconds that a watch is kept open at least.', 'SECONDS', { standard: 1800 }),
  'max-requests-inflight': integer('Reading requests at the same time; 0 for no limit.', 'COUNT', { standard: 400 }),
  'max-mutating-requests-inflight': integer('Writing requests at the same time; 0 for no limit.', 'COUNT', {
    standard: 200,
  }),
  'cors-allowed-origins': origins('Pages that may make requests from a browser, each as an expression: //example.com:'),
  'enable-priority-and-fairness': truth('Requests wait for their turn by flow schemas and priority levels.', true),
  'feature-gates': gates(`Features to turn on or off: ${describeGates()}.`),
  v: integer('How much is logged: 4 and more for every detail.', 'LEVEL', { standard: 0 }),
  help: { ...truth('Shows this text.', false), short: 'h' },
}

export type ApiServerFlags = FlagValues<typeof apiServerFlags>

function portRange(help: string, standard: PortRange): Flag<PortRange> {
  const read = (texts: readonly string[]) => (texts.length === 0 ? standard : readPorts(texts.at(-1)!))
  return { help, placeholder: 'FIRST-LAST', defaultText: `${standard.first}-${standard.last}`, read }
}

function asUsage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function origins(help: string): Flag<readonly RegExp[]> {
  const read = (texts: readonly string[]) =>
    asUsage(() => readOrigins(texts.flatMap((given) => given.split(',')).filter((given) => given !== '')))
  return { help, placeholder: 'EXPRESSION,…', defaultText: '', read }
}

/** As they are given, once it is clear that there are such features. */
function gates(help: string): Flag<Readonly<Record<string, boolean>>> {
  const table = truthTable(help)
  const read = (texts: readonly string[]) => {
    const given = table.read(texts)
    asUsage(() => openGates(given))
    return given
  }
  return { ...table, read }
}

/** `30000-32767`, `30000+100` or a single port. */
function readPorts(given: string): PortRange {
  const [, start, sign, rest] = /^(\d+)(?:([-+])(\d+))?$/.exec(given.trim()) ?? []
  const first = Number(start)
  const last = rest === undefined ? first : sign === '+' ? first + Number(rest) : Number(rest)
  if (start === undefined || first < 1 || last > 65_535 || last < first)
    throw new UsageError('it must be a range of ports, such as 30000-32767')
  return { first, last }
}

/** The flags as the server takes them. */
export function apiServerOptions(flags: ApiServerFlags, dataDirectory: string): ApiServerOptions {
  checkTogether(flags)
  const issuers = flags['service-account-issuer']
  const audiences = flags['api-audiences']
  return {
    dataDirectory,
    securePort: flags['secure-port'],
    bindAddress: flags['bind-address'],
    ...given('advertiseAddress', flags['advertise-address']),
    tls: {
      ...given('certFile', flags['tls-cert-file']),
      ...given('keyFile', flags['tls-private-key-file']),
      ...given('clientCaFile', flags['client-ca-file']),
    },
    ...given('audit', auditOptions(flags)),
    authentication: authenticationOptions(flags, allowsAnonymous(flags)),
    authorization: authorizationOptions(flags),
    ...(flags['etcd-servers'].length > 0 && { etcd: etcdOptions(flags) }),
    ...given('encryptionConfig', flags['encryption-provider-config']),
    services: { clusterIpRanges: flags['service-cluster-ip-range'], nodePorts: flags['service-node-port-range'] },
    serviceAccounts: {
      issuers,
      audiences: audiences.length === 0 ? issuers : audiences,
      keyFiles: flags['service-account-key-file'],
      ...given('signingKeyFile', flags['service-account-signing-key-file']),
      ...given('keysUrl', flags['service-account-jwks-uri']),
      ...given('maxSeconds', maxTokenSeconds(flags)),
      ...(!flags['service-account-extend-token-expiration'] && { isStrict: true }),
    },
    kubelets: kubeletOptions(flags),
    admission: admissionOptions(flags),
    allowPrivileged: flags['allow-privileged'],
    eventTtl: flags['event-ttl'],
    requests: {
      timeout: flags['request-timeout'],
      minWatchTimeout: flags['min-request-timeout'] * 1000,
      maxInFlight: flags['max-requests-inflight'],
      maxMutatingInFlight: flags['max-mutating-requests-inflight'],
      ...(flags['cors-allowed-origins'].length > 0 && { origins: flags['cors-allowed-origins'] }),
      isFair: flags['enable-priority-and-fairness'],
    },
    featureGates: flags['feature-gates'],
  }
}

/** Shorter than what a pod's token is asked for would be of no use to anyone. */
function maxTokenSeconds(flags: ApiServerFlags): number | undefined {
  const milliseconds = flags['service-account-max-token-expiration']
  if (milliseconds === 0) return undefined
  if (milliseconds < 3_600_000 || milliseconds > 2 ** 32 * 1000)
    throw new UsageError('--service-account-max-token-expiration must be from one hour to 2^32 seconds')
  return Math.floor(milliseconds / 1000)
}

function kubeletOptions(flags: ApiServerFlags) {
  return {
    ...given('clientCertFile', flags['kubelet-client-certificate']),
    ...given('clientKeyFile', flags['kubelet-client-key']),
    ...given('caFile', flags['kubelet-certificate-authority']),
    preferredAddressTypes: flags['kubelet-preferred-address-types'],
  }
}

function etcdOptions(flags: ApiServerFlags) {
  return {
    servers: flags['etcd-servers'],
    prefix: flags['etcd-prefix'],
    ...given('caFile', flags['etcd-cafile']),
    ...given('certFile', flags['etcd-certfile']),
    ...given('keyFile', flags['etcd-keyfile']),
  }
}

/** Where everything is allowed, at least those who do it must be known. */
function allowsAnonymous(flags: ApiServerFlags): boolean {
  return flags['anonymous-auth'] && !flags['authorization-mode'].includes('AlwaysAllow')
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]: Value })
}

function checkTogether(flags: ApiServerFlags): void {
  if ((flags['tls-cert-file'] === undefined) !== (flags['tls-private-key-file'] === undefined))
    throw new UsageError('--tls-cert-file and --tls-private-key-file go together: give both or neither')
  if ((flags['etcd-certfile'] === undefined) !== (flags['etcd-keyfile'] === undefined))
    throw new UsageError('--etcd-certfile and --etcd-keyfile go together: give both or neither')
  if ((flags['kubelet-client-certificate'] === undefined) !== (flags['kubelet-client-key'] === undefined))
    throw new UsageError('--kubelet-client-certificate and --kubelet-client-key go together: give both or neither')
  checkAuthorization(flags['authorization-mode'])
  checkRanges(flags['service-cluster-ip-range'])
}

function checkAuthorization(modes: readonly string[]): void {
  if (modes.length === 0) throw new UsageError('--authorization-mode needs at least one mode')
  try {
    checkModes(modes)
  } catch (error) {
    throw new UsageError(`--authorization-mode=${modes.join(',')} cannot be used: ${(error as Error).message}`)
  }
}

function checkRanges(ranges: readonly string[]): void {
  const parsed = ranges.map((range) => {
    const cidr = parseCidr(range)
    if (!cidr)
      throw new UsageError(
        `--service-cluster-ip-range=${range} cannot be used: it must be a range such as 10.96.0.0/16`,
      )
    return cidr.address.bytes.length
  })
  if (parsed.length === 0 || parsed.length > 2 || parsed[0] === parsed[1])
    throw new UsageError('--service-cluster-ip-range takes one range, or one of each family')
}
