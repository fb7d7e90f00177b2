import { strictEqual as equal } from 'node:assert/strict'
import type { KubeObject } from '../../api/kube-object.js'
import { builtin } from '../../api/scheme.js'
import { type Environment, environment } from '../../base/environment.js'
import { canonicalObject } from '../../schema/encode.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { startTestApiServer, type TestApiServerOptions } from '../../testing/servers/api-server.js'
import { sendRaw } from '../../testing/servers/whoami.js'
import { openObjectStore } from '../cache/cached-object-store.js'
import type { ObjectStore } from '../cache/object-store.js'
import { ResourceMap } from '../registry/resource-map.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { RequestUser } from '../request/user.js'
import { Timestamps } from '../verbs/verb-scope.js'
import type { AuthorizationAttributes } from './authorizer.js'

export function user(name: string, ...groups: readonly string[]): RequestUser {
  return { name, uid: '', groups, extra: {} }
}

/** Returns attributes of a request; fields that are left out are empty. */
export function question(
  who: RequestUser,
  verb: string,
  resource: string,
  more: Partial<AuthorizationAttributes> = {},
): AuthorizationAttributes {
  const [plural = '', subresource = ''] = resource.split('/')
  const place = { path: '', group: '', version: 'v1', namespace: '', name: '' }
  return { ...place, user: who, verb, isResource: true, resource: plural, subresource, ...more }
}

/** Stored objects without a server. */
export interface Cluster {
  readonly environment: Environment
  readonly store: ObjectStore
  readonly timestamps: Timestamps
  readonly resources: ResourceMap
  /** Creates or replaces objects. */
  put(...objects: readonly object[]): Promise<void>
  remove(object: object): Promise<void>
}

export async function openCluster(): Promise<Cluster> {
  const around = environment()
  const store = await openObjectStore(new MemoryStore({ environment: around }), around, { freeze: true })
  const resources = new ResourceMap(builtin, store, {})
  const change = async (object: KubeObject, next: KubeObject | undefined) => {
    const resource = resourceOf(resources, object)
    const key = resource.key(object.metadata.namespace ?? '', object.metadata.name ?? '')
    const stored = next && (canonicalObject(resource.stored, next) as unknown as KubeObject)
    const written = await store.write([{ key, expected: resource.objects.get(key)?.revision ?? 0, object: stored }])
    equal(written?.length, 1)
  }
  return {
    environment: around,
    timestamps: new Timestamps(around.clock),
    store,
    resources,
    async put(...objects) {
      for (const object of objects as readonly KubeObject[]) await change(object, object)
    },
    remove: (object) => change(object as KubeObject, undefined),
  }
}

function resourceOf(resources: ResourceMap, { apiVersion, kind }: KubeObject): ServedResource {
  for (const resource of resources)
    if (resource.type.kind.apiVersion === apiVersion && resource.type.kind.kind === kind) return resource
  throw new Error(`${kind} of ${apiVersion} is not served`)
}

const apiVersion = 'rbac.authorization.k8s.io/v1'

export function role(name: string, ...rules: readonly object[]): object {
  return { apiVersion, kind: 'Role', metadata: { name, namespace: 'here' }, rules }
}

export function clusterRole(name: string, ...rules: readonly object[]): object {
  return { apiVersion, kind: 'ClusterRole', metadata: { name }, rules }
}

/** `Role reader` to `User jane`, `Group dev` or `ServiceAccount here/robot`. */
export function binding(name: string, roleText: string, ...subjects: readonly string[]): object {
  return { ...bindingOf(name, roleText, subjects), kind: 'RoleBinding', metadata: { name, namespace: 'here' } }
}

export function clusterBinding(name: string, roleName: string, ...subjects: readonly string[]): object {
  return { ...bindingOf(name, `ClusterRole ${roleName}`, subjects), kind: 'ClusterRoleBinding', metadata: { name } }
}

function bindingOf(name: string, roleText: string, subjects: readonly string[]): object {
  const apiGroup = 'rbac.authorization.k8s.io'
  const [kind, roleName = name] = roleText.split(' ')
  return { apiVersion, roleRef: { apiGroup, kind, name: roleName }, subjects: subjects.map(subjectOf) }
}

function subjectOf(text: string): object {
  const [kind = '', who = ''] = text.split(' ')
  const [namespace, name] = who.split('/')
  if (kind === 'ServiceAccount') return { kind, name, namespace }
  return { kind, apiGroup: 'rbac.authorization.k8s.io', name: who }
}

export function rule(verbs: string, resources: string, group = '', resourceNames: readonly string[] = []): object {
  const names = resourceNames.length > 0 && { resourceNames }
  return { verbs: verbs.split(' '), apiGroups: group.split(' '), resources: resources.split(' '), ...names }
}

export interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, never>> & { readonly message?: string; readonly status?: unknown }
  readonly message: string
}

/** A running server, and requests to it as anybody. */
export interface Gate {
  readonly server: Awaited<ReturnType<typeof startTestApiServer>>
  /** As the administrator unless headers say otherwise. */
  ask(method: string, path: string, body?: object, headers?: readonly string[]): Promise<Reply>
  /** As somebody whom the administrator impersonates. */
  as(who: string, ...groups: readonly string[]): (method: string, path: string, body?: object) => Promise<Reply>
  close(): Promise<void>
}

export async function startGate(options: TestApiServerOptions = {}): Promise<Gate> {
  const server = await startTestApiServer(options)
  const ask: Gate['ask'] = async (method, path, body, headers = []) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const usual = [
      ['authorization', `Bearer ${server.token}`],
      ['content-type', type],
    ].filter(([name]) => !headers.includes(name!))
    const all = [...usual.flat(), ...headers]
    const sent = { method, path, headers: all, ...(body && { body: JSON.stringify(body) }) }
    const { status, text } = await sendRaw(server, sent)
    const parsed = text.startsWith('{') ? JSON.parse(text) : {}
    return { status, body: parsed, message: parsed.message ?? text }
  }
  return {
    server,
    ask,
    as: (who, ...groups) => {
      const headers = ['impersonate-user', who, ...groups.flatMap((group) => ['impersonate-group', group])]
      return (method, path, body) => ask(method, path, body, headers)
    },
    close: () => server.close(),
  }
}
