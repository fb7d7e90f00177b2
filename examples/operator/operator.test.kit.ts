import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { ServiceAccount } from '../../src/api/core/v1/service-account.js'
import { ClusterRole } from '../../src/api/rbac/v1/cluster-role.js'
import { ClusterRoleBinding } from '../../src/api/rbac/v1/cluster-role-binding.js'
import type { Client } from '../../src/client/client.js'

export const namespace = 'default'
export const label = 'example.com/website'
export const status = 'example.com/website-status'

/** The operator, as its file names it. */
export const user = {
  name: 'system:serviceaccount:default:website-operator',
  uid: '',
  groups: ['system:serviceaccounts', 'system:authenticated'],
  extra: {},
}

/** Gives the operator the rights that its file gives it. */
export async function applyRights(client: Client): Promise<void> {
  const kinds = { ServiceAccount, ClusterRole, ClusterRoleBinding }
  for (const document of parseAllDocuments(readFileSync('examples/operator/operator.yaml', 'utf8'))) {
    const object = document.toJS() as { kind: keyof typeof kinds; metadata: object }
    await client.resource(kinds[object.kind]).create(object)
  }
}

export function website(data: Readonly<Record<string, string>>) {
  return { metadata: { name: 'shop', namespace, labels: { [label]: '' } }, data }
}
