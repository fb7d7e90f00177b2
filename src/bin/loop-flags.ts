import { readFileSync } from 'node:fs'
import type { LoopOptions } from '../controllers/catalogue.js'
import type { Credential } from '../wire/x509/issuer.js'
import { decimal, duration, integer, list, optionalText, text, truth } from './flag-types.js'
import type { FlagValues } from './flags.js'
import { signingFlags, signingOptions } from './signing-flags.js'

const hour = 3_600_000

function workers(what: string, standard: number) {
  return integer(`How many ${what} are reconciled at the same time.`, 'COUNT', { standard, least: 1 })
}

function size(what: string) {
  return integer(`The prefix length of the IP range of a node${what}. 0 is the default.`, 'BITS', { standard: 0 })
}

/** Upstream's names for what the control loops can be told. */
export const loopFlags = {
  controllers: list(
    'The control loops to run. * is the default set, NAME adds a loop and -NAME removes it.',
    'NAME,…',
    ['*'],
  ),
  'concurrent-endpoint-syncs': workers('Endpoints objects', 5),
  'concurrent-gc-syncs': workers('objects of the garbage collector', 20),
  'concurrent-namespace-syncs': workers('namespaces', 10),
  'concurrent-resource-quota-syncs': workers('resource quotas', 5),
  'concurrent-service-endpoint-syncs': workers('EndpointSlices of services', 5),
  'concurrent-serviceaccount-token-syncs': workers('service account tokens', 5),
  'mirroring-concurrent-service-endpoint-syncs': workers('mirrored Endpoints objects', 5),
  'max-endpoints-per-slice': integer('The most endpoints in one EndpointSlice.', 'COUNT', {
    ...{ standard: 100, least: 1, most: 1000 },
  }),
  'mirroring-max-endpoints-per-subset': integer(
    'The most endpoints of a subset of an Endpoints object that are mirrored to EndpointSlices.',
    'COUNT',
    {
      ...{ standard: 1000, least: 1, most: 1000 },
    },
  ),
  'terminated-pod-gc-threshold': integer('How many terminated pods are kept. 0 keeps all.', 'COUNT', {
    standard: 12_500,
  }),
  'resource-quota-sync-period': duration('How often the usage of resource quotas is recalculated.', 300_000),

  'node-monitor-period': duration('How often the state of nodes is checked.', 5_000),
  'node-monitor-grace-period': duration('How long a node may be silent before it counts as not ready.', 50_000),
  'node-startup-grace-period': duration('The same for a node that has just started.', 60_000),
  'node-eviction-rate': decimal('How many unhealthy nodes are evicted per second.', 'NODES', 0.1),
  'secondary-node-eviction-rate': decimal('The same while a zone is unhealthy.', 'NODES', 0.01),
  'large-cluster-size-threshold': integer(
    'The number of nodes above which a zone counts as large. Small unhealthy zones are not evicted.',
    'NODES',
    { standard: 50 },
  ),
  'unhealthy-zone-threshold': decimal(
    'The fraction of nodes that must be not ready for a zone to count as unhealthy.',
    'PART',
    0.55,
  ),
  'allocate-node-cidrs': truth('Assign an IP range for pods to each node.', false),
  'cluster-cidr': text('The IP ranges of pods, at most one for each IP family.', 'CIDR,…', ''),
  'service-cluster-ip-range': list('The IP ranges of services. Pods get no addresses from them.', 'CIDR,…'),
  'node-cidr-mask-size': size(', in clusters with one IP family'),
  'node-cidr-mask-size-ipv4': size(' for IPv4'),
  'node-cidr-mask-size-ipv6': size(' for IPv6'),

  'root-ca-file': optionalText(
    'The CA certificate that pods verify the API server with. By default the one that this component uses.',
    'FILE',
  ),
  'service-account-private-key-file': optionalText(
    'The private key that signs service account tokens in secrets.',
    'FILE',
  ),
  'legacy-service-account-token-clean-up-period': duration(
    'How long a service account token in a secret may be unused before it is invalidated.',
    8760 * hour,
  ),
  ...signingFlags,
}

export type LoopFlags = FlagValues<typeof loopFlags>

/** What the loops use where no flag names anything else. */
export interface OwnCredentials {
  readonly rootAuthority?: string | undefined
  readonly serviceAccountKey?: string | undefined
  readonly signing?: (() => Credential | undefined) | undefined
}

export function loopOptions(flags: LoopFlags, own: OwnCredentials): LoopOptions {
  return { ...countOptions(flags), ...nodeOptions(flags), ...credentialOptions(flags, own) }
}

function countOptions(flags: LoopFlags): LoopOptions {
  return {
    concurrentEndpointSyncs: flags['concurrent-endpoint-syncs'],
    concurrentGcSyncs: flags['concurrent-gc-syncs'],
    concurrentNamespaceSyncs: flags['concurrent-namespace-syncs'],
    concurrentResourceQuotaSyncs: flags['concurrent-resource-quota-syncs'],
    concurrentServiceEndpointSyncs: flags['concurrent-service-endpoint-syncs'],
    concurrentServiceAccountTokenSyncs: flags['concurrent-serviceaccount-token-syncs'],
    mirroringConcurrentServiceEndpointSyncs: flags['mirroring-concurrent-service-endpoint-syncs'],
    maxEndpointsPerSlice: flags['max-endpoints-per-slice'],
    mirroringMaxEndpointsPerSubset: flags['mirroring-max-endpoints-per-subset'],
    terminatedPodGcThreshold: flags['terminated-pod-gc-threshold'],
    resourceQuotaSyncPeriod: flags['resource-quota-sync-period'],
    legacyTokenCleanUpPeriod: flags['legacy-service-account-token-clean-up-period'],
  }
}

function nodeOptions(flags: LoopFlags): LoopOptions {
  const clusterCidr = flags['cluster-cidr']
  const services = flags['service-cluster-ip-range'].join(',')
  const [mask, ipv4, ipv6] = [
    flags['node-cidr-mask-size'],
    flags['node-cidr-mask-size-ipv4'],
    flags['node-cidr-mask-size-ipv6'],
  ]
  return {
    allocateNodeCidrs: flags['allocate-node-cidrs'],
    ...(clusterCidr !== '' && { clusterCidr }),
    ...(services !== '' && { serviceClusterIpRange: services }),
    ...(mask > 0 && { nodeCidrMaskSize: mask }),
    ...(ipv4 > 0 && { nodeCidrMaskSizeIpv4: ipv4 }),
    ...(ipv6 > 0 && { nodeCidrMaskSizeIpv6: ipv6 }),
    nodeLifecycle: {
      period: flags['node-monitor-period'],
      grace: flags['node-monitor-grace-period'],
      startupGrace: flags['node-startup-grace-period'],
      evictionRate: flags['node-eviction-rate'],
      secondaryEvictionRate: flags['secondary-node-eviction-rate'],
      largeZone: flags['large-cluster-size-threshold'],
      unhealthyThreshold: flags['unhealthy-zone-threshold'],
    },
  }
}

function credentialOptions(flags: LoopFlags, own: OwnCredentials): LoopOptions {
  const rootAuthority = contentOf(flags['root-ca-file']) ?? own.rootAuthority
  const serviceAccountKey = contentOf(flags['service-account-private-key-file']) ?? own.serviceAccountKey
  return {
    ...(rootAuthority !== undefined && { rootAuthority }),
    ...(serviceAccountKey !== undefined && { serviceAccountKey }),
    ...signingOptions(flags, own.signing),
  }
}

function contentOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file, 'utf8')
}
