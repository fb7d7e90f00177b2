import { dnsLabel, dnsSubdomain } from '../../schema/names.js'

/** The account that a user name stands for, if it is that of a service account. */
export interface ServiceAccountName {
  readonly namespace: string
  readonly name: string
}

const accountPrefix = 'system:serviceaccount:'
const nodePrefix = 'system:node:'

export function serviceAccountUser(namespace: string, name: string): string {
  return `${accountPrefix}${namespace}:${name}`
}

export function serviceAccountOf(user: string): ServiceAccountName | undefined {
  if (!user.startsWith(accountPrefix)) return undefined
  const [namespace = '', name = '', ...more] = user.slice(accountPrefix.length).split(':')
  const isName = more.length === 0 && dnsLabel(namespace).length === 0 && dnsSubdomain(name).length === 0
  return isName ? { namespace, name } : undefined
}

/** The groups that every account of a namespace is in. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** The node that a user name stands for. */
export function nodeNameOf(user: string): string | undefined {
  if (!user.startsWith(nodePrefix)) return undefined
  const name = user.slice(nodePrefix.length)
  return dnsSubdomain(name).length === 0 ? name : undefined
}
