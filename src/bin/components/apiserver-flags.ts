import { describeGates, openGates } from '../../api/feature-gates.js'
import { checkModes } from '../../apiserver/authorization/chain.js'
import { type FastPaths, parseFastPaths } from '../../apiserver/fast-paths.js'
import type { ApiServerOptions, PortRange } from '../../apiserver/options.js'
import { readOrigins } from '../../apiserver/request/cors.js'
import { boolean, booleanMap, duration, integer, listFlag, optionalText, text } from '../../base/flags/flag-types.js'
import { type Flag, type FlagValues, UsageError } from '../../base/flags/flags.js'
import { controllerRoles } from '../../controllers/catalogue.js'
import { parseCidr } from '../../schema/values/ip-address.js'
import { clusterFlags } from '../cluster/cluster-flags.js'
import { admissionFlags, admissionOptions } from './admission-flags.js'
import { auditFlags, auditOptions } from './audit-flags.js'
import { authenticationFlags, authenticationOptions } from './authentication-flags.js'
import { authorizationFlags, authorizationOptions } from './authorization-flags.js'

/** The flags of the API server, with upstream's names. `--help` shows them in this order. */
export const apiServerFlags = {
  'secure-port': integer('The port of the API server. 0 takes any free port.', {
    placeholder: 'PORT',
    initial: 6443,
    most: 65_535,
  }),
  'bind-address': text('The address to listen on. 0.0.0.0 and :: are all addresses of the machine.', {
    placeholder: 'ADDRESS',
    initial: '0.0.0.0',
  }),
  'advertise-address': optionalText('The address that other members of the cluster reach this server at.', {
    placeholder: 'ADDRESS',
  }),
  ...clusterFlags,

  'tls-cert-file': optionalText('The TLS certificate of the server. By default one is created in the data directory.', {
    placeholder: 'FILE',
  }),
  'tls-private-key-file': optionalText('The private key of that certificate.', { placeholder: 'FILE' }),
  'client-ca-file': optionalText('The CA certificates that sign client certificates.', { placeholder: 'FILE' }),
  ...authenticationFlags,
  ...authorizationFlags,

  'etcd-servers': listFlag('Store all objects in this etcd instead of the data directory.', { placeholder: 'URL,…' }),
  'etcd-prefix': text('The prefix of all keys in etcd.', { placeholder: 'PREFIX', initial: '/registry' }),
  'etcd-cafile': optionalText('The CA certificates that sign the certificates of etcd.', { placeholder: 'FILE' }),
  'etcd-certfile': optionalText('The client certificate for etcd.', { placeholder: 'FILE' }),
  'etcd-keyfile': optionalText('The private key of that certificate.', { placeholder: 'FILE' }),

  'encryption-provider-config': optionalText(
    'The file that says which objects are encrypted at rest, and with which keys.',
    { placeholder: 'FILE' },
  ),

  'service-cluster-ip-range': listFlag('The IP ranges of services, at most one for each IP family.', {
    placeholder: 'CIDR,…',
    initial: ['10.0.0.0/24'],
  }),
  'service-node-port-range': portRange('The ports of services of type NodePort.', { first: 30_000, last: 32_767 }),
  'service-account-issuer': listFlag(
    'The issuers of service account tokens that are accepted. New tokens have the first one.',
    { placeholder: 'URL', initial: ['https://kubernetes.default.svc'] },
  ),
  'service-account-key-file': listFlag('The keys that verify service account tokens.', { placeholder: 'FILE' }),
  'service-account-max-token-expiration': duration('The longest lifetime of a service account token. 0 is no limit.', {
    initial: 0,
  }),
  'service-account-extend-token-expiration': boolean(
    'Extend the lifetime of tokens that are mounted into pods to one year.',
    { initial: true },
  ),
  'service-account-jwks-uri': optionalText(
    'The URL where clients find the public keys. By default it is on this server.',
    { placeholder: 'URL' },
  ),
  'service-account-signing-key-file': optionalText('The private key that signs service account tokens.', {
    placeholder: 'FILE',
  }),
  'api-audiences': listFlag('The audiences that tokens must have. By default the issuer.', { placeholder: 'NAME,…' }),

  'kubelet-client-certificate': optionalText(
    'The client certificate for kubelets. By default one is created in the data directory.',
    { placeholder: 'FILE' },
  ),
  'kubelet-client-key': optionalText('The private key of that certificate.', { placeholder: 'FILE' }),
  'kubelet-certificate-authority': optionalText('The CA certificates that sign the certificates of kubelets.', {
    placeholder: 'FILE',
  }),
  'kubelet-preferred-address-types': listFlag('The types of node addresses to connect to, in order of preference.', {
    placeholder: 'TYPE,…',
    initial: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
  }),

  ...auditFlags,

  'allow-privileged': boolean('Allow privileged containers.'),
  ...admissionFlags,
  'event-ttl': duration('How long events are kept before they are deleted.', { initial: 3_600_000 }),
  'request-timeout': duration(
    'The longest time that a request may take. It does not apply to watches and other long requests.',
    { initial: 60_000 },
  ),
  'min-request-timeout': integer('The shortest time that a watch stays open, in seconds.', {
    placeholder: 'SECONDS',
    initial: 1800,
  }),
  'max-requests-inflight': integer('The most read requests that are handled at the same time. 0 is no limit.', {
    placeholder: 'COUNT',
    initial: 400,
  }),
  'max-mutating-requests-inflight': integer(
    'The most write requests that are handled at the same time. 0 is no limit.',
    { placeholder: 'COUNT', initial: 200 },
  ),
  'cors-allowed-origins': origins(
    'The origins that browsers may send requests from, each as a regular expression: //example\\.com.',
  ),
  'enable-priority-and-fairness': boolean('Queue requests by flow schemas and priority levels.', { initial: true }),
  'feature-gates': gates(`Features to enable or disable: ${describeGates()}.`),
  'proa-fast-paths': fastPaths(
    'Optimizations of this server: * turns all on, a name turns one on, -name turns one off, none turns all off.',
  ),
  v: integer('The log level. 4 and more log every detail.', { placeholder: 'LEVEL' }),
  help: { ...boolean('Show this help.'), short: 'h' },
}

export type ApiServerFlags = FlagValues<typeof apiServerFlags>

function fastPaths(help: string): Flag<FastPaths> {
  const read = (texts: readonly string[]) => {
    try {
      return parseFastPaths(texts.length === 0 ? ['*'] : texts.flatMap((each) => each.split(',')))
    } catch (error) {
      throw new UsageError(`--proa-fast-paths: ${(error as Error).message}`)
    }
  }
  return { help, placeholder: 'NAME,…', defaultText: '*', read }
}

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

/** A flag of feature gates. Rejects unknown features. */
function gates(help: string): Flag<Readonly<Record<string, boolean>>> {
  const table = booleanMap(help)
  const read = (texts: readonly string[]) => {
    const given = table.read(texts)
    asUsage(() => openGates(given))
    return given
  }
  return { ...table, read }
}

/** Parses `30000-32767`, `30000+100` or a single port. */
function readPorts(given: string): PortRange {
  const [, start, sign, rest] = /^(\d+)(?:([-+])(\d+))?$/.exec(given.trim()) ?? []
  const first = Number(start)
  const last = rest === undefined ? first : sign === '+' ? first + Number(rest) : Number(rest)
  if (start === undefined || first < 1 || last > 65_535 || last < first)
    throw new UsageError('it must be a range of ports, such as 30000-32767')
  return { first, last }
}

/** Converts the flags to the options of the server. Throws a `UsageError` if flags contradict each other. */
export function apiServerOptions(flags: ApiServerFlags, dataDirectory: string): ApiServerOptions {
  checkCombinations(flags)
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
    controllerRoles,
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
    fastPaths: flags['proa-fast-paths'],
  }
}

/** At least one hour: a shorter limit would reject the tokens that kubelets request for pods. */
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

/** Without authorization, clients must at least authenticate. */
function allowsAnonymous(flags: ApiServerFlags): boolean {
  return flags['anonymous-auth'] && !flags['authorization-mode'].includes('AlwaysAllow')
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]: Value })
}

function checkCombinations(flags: ApiServerFlags): void {
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
