import { readFileSync } from 'node:fs'
import { decimal, duration, integer, list, optionalText, text, truth } from '../base/flags/flag-types.js'
import type { FlagValues } from '../base/flags/flags.js'
import type { LoopOptions } from '../controllers/catalogue.js'
import type { Credential } from '../wire/x509/issuer.js'
import { signingFlags, signingOptions } from './signing-flags.js'

const hour = 3_600_000

function workers(what: string, standard: number) {
  return integer(`How many ${what} are looked at at once.`, 'COUNT', { standard, least: 1 })
}

function size(what: string) {
  return integer(`How long the prefix of the range of a node is${what}; 0 for the usual.`, 'BITS', { standard: 0 })
}

/** Upstream's names for what the control loops can be told. */
export const loopFlags = {
  controllers: list('The control loops to run: * for the usual ones, NAME and -NAME for more and fewer.', 'NAME,…', [
    '*',
  ]),
  'concurrent-endpoint-syncs': workers('endpoints', 5),
  'concurrent-gc-syncs': workers('objects without owners', 20),
  'concurrent-namespace-syncs': workers('namespaces', 10),
  'concurrent-resource-quota-syncs': workers('quotas', 5),
  'concurrent-service-endpoint-syncs': workers('services', 5),
  'concurrent-serviceaccount-token-syncs': workers('tokens in secrets', 5),
  'mirroring-concurrent-service-endpoint-syncs': workers('mirrored endpoints', 5),
  'max-endpoints-per-slice': integer('How many endpoints a slice has at most.', 'COUNT', {
    ...{ standard: 100, least: 1, most: 1000 },
  }),
  'mirroring-max-endpoints-per-subset': integer('How many endpoints of a subset are mirrored at most.', 'COUNT', {
    ...{ standard: 1000, least: 1, most: 1000 },
  }),
  'terminated-pod-gc-threshold': integer('How many pods that have ended are kept; 0 for all.', 'COUNT', {
    standard: 12_500,
  }),
  'resource-quota-sync-period': duration('How often everything that quotas limit is counted again.', 300_000),

  'node-monitor-period': duration('How often nodes are looked at.', 5_000),
  'node-monitor-grace-period': duration('A node that is silent for so long is taken for lost.', 50_000),
  'node-startup-grace-period': duration('The same for a node that has just begun.', 60_000),
  'node-eviction-rate': decimal('How many lost nodes are given up a second.', 'NODES', 0.1),
  'secondary-node-eviction-rate': decimal('The same while much of a large zone is lost.', 'NODES', 0.01),
  'large-cluster-size-threshold': integer('A zone of more nodes is large.', 'NODES', { standard: 50 }),
  'unhealthy-zone-threshold': decimal('Of a zone that is lost in such a part, much is lost.', 'PART', 0.55),
  'allocate-node-cidrs': truth('Each node gets a range of addresses for its pods.', false),
  'cluster-cidr': text('The addresses of pods; at most one range of each family.', 'CIDR,…', ''),
  'service-cluster-ip-range': list('The addresses of services, which no pod gets.', 'CIDR,…'),
  'node-cidr-mask-size': size(', where there is one family'),
  'node-cidr-mask-size-ipv4': size(' for IPv4'),
  'node-cidr-mask-size-ipv6': size(' for IPv6'),

  'root-ca-file': optionalText('By whom pods know the API server; by whom this knows it, unless given.', 'FILE'),
  'service-account-private-key-file': optionalText('Signs the tokens of service accounts in secrets.', 'FILE'),
  'legacy-service-account-token-clean-up-period': duration(
    'Tokens in secrets that nobody used for so long end.',
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
