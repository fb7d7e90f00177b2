import { repeated, text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { generator, noTimestamp } from './generator.js'

const subjects = {
  group: repeated('Groups that get the role'),
  serviceaccount: repeated('Service accounts that get the role: NAMESPACE:NAME'),
  user: repeated('Users that get the role'),
} as const

const authorization = 'rbac.authorization.k8s.io'

export const createRoleBinding = generator({
  usage:
    'NAME --clusterrole=NAME|--role=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none] [options]',
  about: 'Bind a role to users, groups and service accounts in this namespace.',
  examples: ['kubectl create rolebinding view --clusterrole=view --user=jane --serviceaccount=team:robot'],
  flags: {
    ...subjects,
    clusterrole: text('The cluster role to bind'),
    role: text('The role to bind'),
  },
  failure: 'failed to create rolebinding: ',
  build: ({ flags }, name) => {
    if ((flags.role === '') === (flags.clusterrole === ''))
      throw new Error('exactly one of clusterrole or role must be specified')
    const role = flags.role === '' ? roleRef('ClusterRole', flags.clusterrole) : roleRef('Role', flags.role)
    return binding('RoleBinding', name, role, subjectsOf(flags))
  },
})

export const createClusterRoleBinding = generator({
  usage:
    'NAME --clusterrole=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none] [options]',
  about: 'Bind a cluster role to users, groups and service accounts in the whole cluster.',
  examples: ['kubectl create clusterrolebinding admins --clusterrole=cluster-admin --group=admins'],
  flags: { ...subjects, clusterrole: text('The cluster role to bind') },
  required: ['clusterrole'],
  failure: 'failed to create clusterrolebinding: ',
  build: ({ flags }, name) =>
    binding('ClusterRoleBinding', name, roleRef('ClusterRole', flags.clusterrole), subjectsOf(flags)),
})

function roleRef(kind: string, name: string): JsonObject {
  return { apiGroup: authorization, kind, name }
}

function binding(kind: string, name: string, role: JsonObject, given: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: `${authorization}/v1`,
    kind,
    metadata: { ...noTimestamp, name },
    roleRef: role,
    ...(given.length > 0 && { subjects: given }),
  }
}

interface SubjectFlags {
  readonly group: readonly string[]
  readonly serviceaccount: readonly string[]
  readonly user: readonly string[]
}

function subjectsOf({ user, group, serviceaccount }: SubjectFlags): readonly JsonObject[] {
  return [
    ...user.map((name) => ({ apiGroup: authorization, kind: 'User', name })),
    ...group.map((name) => ({ apiGroup: authorization, kind: 'Group', name })),
    ...serviceaccount.map(accountSubject),
  ]
}

function accountSubject(given: string): JsonObject {
  const [namespace = '', name = '', ...more] = given.split(':')
  if (name === '' || namespace === '' || more.length > 0) throw new Error('serviceaccount must be <namespace>:<name>')
  return { kind: 'ServiceAccount', name, namespace }
}
