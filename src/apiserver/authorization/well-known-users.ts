import { dnsLabel, dnsSubdomain } from '../../schema/names.js'
import type { RequestUser } from '../request/user.js'

/** A service account, from its user name. */
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

/** Returns the groups of every service account of a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** Returns the node of a user name; undefined if it is not a valid name of a node. */
export function nodeNameOfUser(user: string): string | undefined {
  if (!user.startsWith(nodePrefix)) return undefined
  const name = user.slice(nodePrefix.length)
  return dnsSubdomain(name).length === 0 ? name : undefined
}

/** Returns the name of the node that makes a request; empty for a node without a name, undefined for other users. */
export function nodeOfUser({ name, groups }: RequestUser): string | undefined {
  return name.startsWith(nodePrefix) && groups.includes('system:nodes') ? name.slice(nodePrefix.length) : undefined
}
