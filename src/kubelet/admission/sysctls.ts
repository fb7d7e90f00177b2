/** Which sysctls a pod may set. */
import { quote } from '../../schema/quote.js'
import type { PodFailure } from '../status/pod-status-input.js'
import { isKernelSince } from './kernel-version.js'
import { type AdmissionContext, type PodAdmission, podRejection } from './pod-admission.js'

/** Namespaced sysctls that affect only the pod, with the first Linux version where that is so. */
const safe: readonly (readonly [name: string, since?: string])[] = [
  ['kernel.shm_rmid_forced'],
  ['net.ipv4.ip_local_port_range'],
  ['net.ipv4.tcp_syncookies'],
  ['net.ipv4.ping_group_range'],
  ['net.ipv4.ip_unprivileged_port_start'],
  ['net.ipv4.ip_local_reserved_ports', '3.16'],
  ['net.ipv4.tcp_keepalive_time', '4.5'],
  ['net.ipv4.tcp_fin_timeout', '4.6'],
  ['net.ipv4.tcp_keepalive_intvl', '4.5'],
  ['net.ipv4.tcp_keepalive_probes', '4.5'],
  ['net.ipv4.tcp_rmem', '4.15'],
  ['net.ipv4.tcp_wmem', '4.15'],
]

export function sysctlRejection({ pod: { spec }, context: on }: PodAdmission): PodFailure | undefined {
  const wanted = spec.securityContext?.sysctls ?? []
  if (wanted.length === 0) return undefined
  const patterns = allowed(on)
  for (const { name } of wanted) {
    const problem = problemOf(dotted(name), patterns, spec)
    if (problem) return podRejection('SysctlForbidden', `forbidden sysctl: ${problem}`)
  }
  return undefined
}

function allowed({ kernelVersion, unsafeSysctls }: AdmissionContext): readonly string[] {
  const known = safe.filter(([, since]) => since === undefined || isKernelSince(kernelVersion, since))
  return [...known.map(([name]) => name), ...unsafeSysctls.map(dotted)]
}

interface Sharing {
  readonly hostNetwork?: boolean
  readonly hostIPC?: boolean
}

function problemOf(name: string, patterns: readonly string[], { hostNetwork, hostIPC }: Sharing): string | undefined {
  const pattern = patterns.find((one) => one === name) ?? patterns.find((one) => isBeginning(one, name))
  if (pattern === undefined) return `${quote(name)} not allowlisted`
  const namespace = namespaceOf(pattern)
  const isShared = namespace === 'Net' ? hostNetwork : hostIPC
  return isShared ? `${quote(name)} not allowed with host ${namespace} enabled` : undefined
}

function isBeginning(pattern: string, name: string): boolean {
  return pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))
}

/** Returns the kernel namespace of a sysctl. */
function namespaceOf(name: string): 'Net' | 'IPC' {
  return name.startsWith('net.') ? 'Net' : 'IPC'
}

/** Converts the slash form `net/ipv4/conf/eth0.5/x` to dots. The first separator decides which form it is. */
function dotted(name: string): string {
  const [first] = /[./]/.exec(name) ?? ['.']
  if (first === '.') return name
  return name.replace(/[./]/g, (character) => (character === '/' ? '.' : '/'))
}
