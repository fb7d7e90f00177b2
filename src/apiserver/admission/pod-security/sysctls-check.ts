import type { CheckPod } from './check.js'

const first = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]
const withReservedPorts = [...first, 'net.ipv4.ip_local_reserved_ports']
const withKeepAlive = [
  ...withReservedPorts,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
]
const withBuffers = [...withKeepAlive, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']

/** The sysctls that affect only the pod itself, by minor version. */
export const sysctlsByVersion: readonly (readonly [minor: number, allowed: readonly string[]])[] = [
  [0, first],
  [27, withReservedPorts],
  [29, withKeepAlive],
  [32, withBuffers],
]

export function sysctlsAllowing(allowed: readonly string[]): CheckPod {
  return ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name))
    return names.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: names.join(', ') }
  }
}
