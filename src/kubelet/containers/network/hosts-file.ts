import type { HostAlias } from '../../../api/core/v1/pod/spec.js'
import type { PodHostname } from './hostname.js'

/** Returns the `/etc/hosts` of a pod on the pod network. */
export function podHostsFile(
  addresses: readonly string[],
  { name, domain }: PodHostname,
  aliases: readonly HostAlias[] = [],
): string {
  const names = domain ? `${name}.${domain}\t${name}` : name
  return [
    '# Kubernetes-managed hosts file.',
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    'fe00::0\tip6-localnet',
    'fe00::0\tip6-mcastprefix',
    'fe00::1\tip6-allnodes',
    'fe00::2\tip6-allrouters',
    ...addresses.map((address) => `${address}\t${names}`),
    ...aliasLines(aliases),
    '',
  ].join('\n')
}

/** Returns the `/etc/hosts` of a pod on the host network: the host's file and the pod's aliases. */
export function nodeHostsFile(ofNode: string, aliases: readonly HostAlias[] = []): string {
  const added = aliases.length > 0 ? `${aliasLines(aliases).join('\n')}\n` : ''
  return `# Kubernetes-managed hosts file (host network).\n${ofNode}${added}`
}

function aliasLines(aliases: readonly HostAlias[]): readonly string[] {
  if (aliases.length === 0) return []
  const lines = aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}`)
  return ['', '# Entries added by HostAliases.', ...lines]
}
