import { dnsLabel } from '../../schema/names.js'

/** Warns about a name with dots: pods are named after their workload, and host names have no dots. */
export function podNameWarnings(name: string | undefined): readonly string[] {
  const messages = dnsLabel(name ?? '')
  if (messages.length === 0) return messages
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
  ]
}
