import { deepStrictEqual as deepEqual, strictEqual as equal, ok } from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import { builtin } from '../../../api/scheme.js'
import { controllerRoles } from '../../../testing/servers/api-server.js'
import { type Cluster, clusterBinding, openCluster, question, user } from '../authorization.test.kit.js'
import { bootstrapRoles } from './bootstrap-roles.js'
import { RbacAuthorizer } from './rbac-authorizer.js'

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'impersonate', 'bind']
const names = ['', 'extension-apiserver-authentication', 'kube-scheduler', 'kubernetes.io/kubelet-serving']
const paths = [
  '/',
  '/api',
  '/apis/apps/v1',
  '/healthz',
  '/livez/ping',
  '/metrics',
  '/openid/v1/jwks',
  '/version/',
  '/x',
]

/** What the rules of a role say, read off them one by one, as the documentation of upstream explains them. */
function naively(rules: readonly PolicyRule[], verb: string, what: Asked): boolean {
  return rules.some((rule) => {
    if (!rule.verbs.includes('*') && !rule.verbs.includes(verb)) return false
    if (what.path !== undefined) return (rule.nonResourceURLs ?? []).some((url) => urlFits(url, what.path!))
    const groups = rule.apiGroups ?? []
    if (!groups.includes('*') && !groups.includes(what.group)) return false
    if (!(rule.resources ?? []).some((given) => resourceFits(given, what))) return false
    return !rule.resourceNames?.length || rule.resourceNames.includes(what.name)
  })
}

interface Asked {
  readonly path?: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
}

function urlFits(url: string, path: string): boolean {
  return url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path
}

function resourceFits(given: string, { resource, subresource }: Asked): boolean {
  if (given === '*') return true
  const [first, second = ''] = given.split('/')
  return second === subresource && (first === resource || (first === '*' && second !== ''))
}

/** Everything that is served, and some things that are not. */
function* everything(): Iterable<Asked> {
  for (const { kind } of builtin.resources) {
    const { plural, subresources } = kind.resource
    for (const subresource of ['', ...Object.keys(subresources), 'nothing'])
      for (const name of names) yield { group: kind.group, resource: plural, subresource, name }
  }
  for (const resource of ['users', 'groups', 'signers', 'userextras', 'things'])
    for (const group of ['', 'authentication.k8s.io', 'certificates.k8s.io', 'example.com'])
      for (const name of names) yield { group, resource, subresource: '', name }
  for (const path of paths) yield { path, group: '', resource: '', subresource: '', name: '' }
}

describe('Every initial role', () => {
  let cluster: Cluster
  let roles: readonly { readonly name: string; readonly rules: readonly PolicyRule[] }[]

  before(async () => {
    cluster = await openCluster()
    await bootstrapRoles(cluster.resources, cluster, controllerRoles)
    const { objects, prefix } = cluster.resources.find('rbac.authorization.k8s.io', 'v1', 'clusterroles')!
    roles = objects.list(prefix).map(({ object }) => ({
      name: object.metadata.name!,
      rules: (object as unknown as { rules?: readonly PolicyRule[] }).rules ?? [],
    }))
    for (const { name } of roles) await cluster.put(clusterBinding(`test:${name}`, name, `User of:${name}`))
  })

  it('allows what a naive reading of its rules allows, and nothing else', () => {
    const authorizer = new RbacAuthorizer(cluster.resources)
    let [questions, yes] = [0, 0]
    for (const { name, rules } of roles) {
      const who = user(`of:${name}`)
      for (const what of everything())
        for (const verb of verbs) {
          const { group, resource, subresource, path } = what
          const where = path === undefined ? {} : { isResource: false, path }
          const asked = question(who, verb, `${resource}/${subresource}`, { group, name: what.name, ...where })
          const allowed = authorizer.authorize(asked).decision === 'allow'
          if (allowed !== naively(rules, verb, what))
            deepEqual({ name, verb, what, allowed }, { name, verb, what, allowed: !allowed })
          questions++
          if (allowed) yes++
        }
    }
    ok(questions > 300_000 && yes > 10_000, `${yes} of ${questions}`)
  })

  it('exists under its name, and the sums hold what they are the sum of', () => {
    equal(roles.length, 69)
    const rulesOf = (name: string) => roles.find((role) => role.name === name)!.rules
    for (const [sum, parts] of [
      ['view', ['system:aggregate-to-view']],
      ['edit', ['view', 'system:aggregate-to-edit']],
      ['admin', ['edit', 'system:aggregate-to-admin']],
    ] as const)
      for (const part of parts)
        for (const rule of rulesOf(part)) ok(rulesOf(sum).some((own) => JSON.stringify(own) === JSON.stringify(rule)))
  })

  it('lets viewers see no secrets, editors no roles, and only administrators of the cluster everything', () => {
    const authorizer = new RbacAuthorizer(cluster.resources)
    const may = (name: string, verb: string, resource: string, group = '') =>
      authorizer.authorize(question(user(`of:${name}`), verb, resource, { group })).decision === 'allow'
    const rbac = 'rbac.authorization.k8s.io'
    deepEqual(
      ['view', 'edit', 'admin', 'cluster-admin'].map((name) => [
        may(name, 'get', 'pods'),
        may(name, 'get', 'secrets'),
        may(name, 'create', 'rolebindings', rbac),
        may(name, 'create', 'clusterrolebindings', rbac),
      ]),
      [
        [true, false, false, false],
        [true, true, false, false],
        [true, true, true, false],
        [true, true, true, true],
      ],
    )
  })
})
