import type { Pod } from '../../../api/core/v1/pod.js'
import { dnsLabel, dnsSubdomain, type Messages } from '../../../schema/names.js'
import { quote } from '../../../schema/quote.js'

export interface PodHostname {
  readonly name: string
  /** The domain of the name in the cluster. Empty unless the pod has a subdomain. */
  readonly domain: string
}

/** The kernel allows 64 bytes, a DNS label 63. */
const longestName = 63
const longestFullName = 64

/** Returns the hostname of a pod. Throws in upstream's words. */
export function podHostname({ metadata, spec }: Pod, clusterDomain: string): PodHostname {
  const { name = '', namespace = '' } = metadata
  const { hostname = '', subdomain = '', hostnameOverride } = spec
  if (hostnameOverride !== undefined) {
    assertName(dnsSubdomain, hostnameOverride, ['HostnameOverride', 'subdomain'])
    return { name: shortened(hostnameOverride, name), domain: '' }
  }
  if (hostname) assertName(dnsLabel, hostname, ['Hostname', 'label'])
  if (subdomain) assertName(dnsLabel, subdomain, ['Subdomain', 'label'])
  return {
    name: shortened(hostname || name, name),
    domain: subdomain && `${subdomain}.${namespace}.svc.${clusterDomain}`,
  }
}

/** Returns the hostname for the kernel: the name, or the FQDN if the pod asks for it. */
export function kernelHostname({ spec }: Pod, { name, domain }: PodHostname): string {
  if (!domain || !spec.setHostnameAsFQDN) return name
  const full = `${name}.${domain}`
  if (full.length > longestFullName)
    throw new Error(
      `failed to construct FQDN from pod hostname and cluster domain, FQDN ${full} is too long (${longestFullName} characters is the max, ${full.length} characters requested)`,
    )
  return full
}

function assertName(
  rule: (value: string) => Messages,
  value: string,
  [field, noun]: readonly [field: string, noun: string],
): void {
  const wrong = rule(value)
  if (wrong.length > 0) throw new Error(`pod ${field} ${quote(value)} is not a valid DNS ${noun}: ${wrong.join(';')}`)
}

function shortened(hostname: string, podName: string): string {
  if (hostname.length <= longestName) return hostname
  const cut = hostname.slice(0, longestName).replace(/[-.]+$/, '')
  if (cut === '') throw new Error(`hostname for pod ${quote(podName)} was invalid: ${quote(hostname)}`)
  return cut
}
