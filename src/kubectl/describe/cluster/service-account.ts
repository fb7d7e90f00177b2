import type { Secret } from '../../../api/core/v1/secret.js'
import type { ServiceAccount } from '../../../api/core/v1/service-account.js'
import { ApiError } from '../../../api/errors.js'
import { resourcePath } from '../../resources/resource-object.js'
import type { Describe, DescribeContext } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'

const width = 'Image pull secrets:'.length

export const describeServiceAccount: Describe<ServiceAccount> = async (account, on) => {
  const { page } = on
  const { metadata, secrets: mountable = [], imagePullSecrets = [] } = account
  const secrets = await secretsIn(metadata.namespace ?? '', on)
  const isMissing = (name: string) => secrets !== undefined && !secrets.some((each) => each.metadata.name === name)
  const write = (header: string, names: readonly string[]) => {
    const [first = '<none>', ...others] = names.map((name) => `${name}${isMissing(name) ? ' (not found)' : ''}`)
    page.line(0, header.padEnd(width), first)
    for (const each of others) page.line(0, ''.padEnd(width), each)
  }
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  labelsAndAnnotations(page, metadata)
  write('Image pull secrets:', imagePullSecrets.map(nameOf))
  write('Mountable secrets:', mountable.map(nameOf))
  const tokens = (secrets ?? []).filter((secret) => isTokenOf(secret, account))
  write(
    'Tokens:',
    tokens.map((secret) => nameOf(secret.metadata)),
  )
  await eventsOf(account, on)
}

function nameOf({ name = '' }: { readonly name?: string }): string {
  return name
}

/** Undefined if the user may not list secrets. Missing secrets are not reported then. */
async function secretsIn(namespace: string, on: DescribeContext): Promise<readonly Secret[] | undefined> {
  try {
    return await on.list<Secret>(resourcePath({ root: '/api/v1', plural: 'secrets', namespaced: true }, namespace))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function isTokenOf({ type, metadata: { annotations = {} } }: Secret, { metadata }: ServiceAccount): boolean {
  return (
    type === 'kubernetes.io/service-account-token' &&
    annotations['kubernetes.io/service-account.name'] === metadata.name &&
    annotations['kubernetes.io/service-account.uid'] === metadata.uid
  )
}
