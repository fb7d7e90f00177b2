import type { ClusterRoleBinding } from '../../../api/rbac/v1/cluster-role-binding.js'
import type { RoleBinding, RoleRef, Subject } from '../../../api/rbac/v1/role-binding.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ChangeEvent, ObjectCollection } from '../../cache/object-store.js'
import type { RequestUser } from '../../request/user.js'
import { serviceAccountUser } from '../well-known-users.js'

/** One subject of one binding. */
export interface Grant {
  readonly binding: BindingName
  readonly role: RoleRef
  readonly subject: Subject
}

export interface BindingName {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding'
  readonly name: string
  /** Empty for cluster role bindings. */
  readonly namespace: string
  readonly key: string
}

/** The grants of one subject by role: several bindings of one role are checked once. */
export type GrantsByRole = ReadonlyMap<string, readonly Grant[]>

/**
 * Indexes all bindings of one kind by namespace and subject. Follows the collection: a binding takes effect as soon as its write is acknowledged.
 * Reads it at the first request.
 */
export class GrantIndex {
  readonly #collection: ObjectCollection
  readonly #prefix: string
  readonly #kind: BindingName['kind']
  readonly #byBinding = new Map<string, readonly Grant[]>()
  readonly #byNamespace = new Map<string, SubjectGrants>()
  #isBuilt = false

  constructor(kind: BindingName['kind'], collection: ObjectCollection, prefix: string) {
    this.#kind = kind
    this.#collection = collection
    this.#prefix = prefix
    collection.follow({ changed: (event) => this.#changed(event), reset: () => this.#forget() })
  }

  /** Returns the grants of a namespace; `''` for cluster-wide ones. */
  in(namespace: string): SubjectGrants | undefined {
    if (!this.#isBuilt) this.#build()
    return this.#byNamespace.get(namespace)
  }

  #build(): void {
    this.#isBuilt = true
    for (const kept of this.#collection.list(this.#prefix)) this.#add(kept)
  }

  #forget(): void {
    this.#isBuilt = false
    this.#byBinding.clear()
    this.#byNamespace.clear()
  }

  #changed({ type, object }: ChangeEvent): void {
    if (!this.#isBuilt) return
    this.#remove(object.key)
    if (type === 'put') this.#add(object)
  }

  #add(kept: CachedObject): void {
    const grants = grantsOf(kept, this.#kind)
    if (grants.length === 0) return
    this.#byBinding.set(kept.key, grants)
    const { namespace } = grants[0]!.binding
    let subjects = this.#byNamespace.get(namespace)
    if (!subjects) {
      subjects = new SubjectGrants()
      this.#byNamespace.set(namespace, subjects)
    }
    for (const grant of grants) subjects.add(grant)
  }

  #remove(key: string): void {
    const grants = this.#byBinding.get(key)
    if (!grants) return
    this.#byBinding.delete(key)
    const { namespace } = grants[0]!.binding
    const subjects = this.#byNamespace.get(namespace)!
    for (const grant of grants) subjects.delete(grant)
    if (subjects.isEmpty) this.#byNamespace.delete(namespace)
  }
}

function grantsOf({ key, object }: CachedObject, kind: BindingName['kind']): readonly Grant[] {
  const { roleRef, subjects } = object as RoleBinding | ClusterRoleBinding
  const { name = '', namespace = '' } = object.metadata
  const binding: BindingName = { kind, name, namespace, key }
  return (subjects ?? []).map((subject) => ({ binding, role: roleRef, subject }))
}

/** Grants by the name of the subject. */
export class SubjectGrants {
  readonly #users = new Map<string, Map<string, Grant[]>>()
  readonly #groups = new Map<string, Map<string, Grant[]>>()

  get isEmpty(): boolean {
    return this.#users.size === 0 && this.#groups.size === 0
  }

  /** Yields the grants of the user, then those of each group. */
  *of({ name, groups }: RequestUser): IterableIterator<GrantsByRole> {
    const own = this.#users.get(name)
    if (own) yield own
    for (const group of groups) {
      const shared = this.#groups.get(group)
      if (shared) yield shared
    }
  }

  add(grant: Grant): void {
    const [byName, name] = this.#placeOf(grant)
    const byRole = byName.get(name) ?? new Map<string, Grant[]>()
    byName.set(name, byRole)
    const role = roleKey(grant.role)
    const grants = byRole.get(role)
    if (grants) grants.push(grant)
    else byRole.set(role, [grant])
  }

  delete(grant: Grant): void {
    const [byName, name] = this.#placeOf(grant)
    const byRole = byName.get(name)!
    const role = roleKey(grant.role)
    const left = byRole.get(role)!.filter((other) => other !== grant)
    if (left.length > 0) byRole.set(role, left)
    else byRole.delete(role)
    if (byRole.size === 0) byName.delete(name)
  }

  #placeOf({ subject, binding }: Grant): [Map<string, Map<string, Grant[]>>, string] {
    if (subject.kind === 'Group') return [this.#groups, subject.name]
    if (subject.kind === 'User') return [this.#users, subject.name]
    return [this.#users, serviceAccountUser(subject.namespace || binding.namespace, subject.name)]
  }
}

function roleKey({ kind, name }: RoleRef): string {
  return `${kind}/${name}`
}
