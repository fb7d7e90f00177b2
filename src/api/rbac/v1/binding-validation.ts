/** Defaults, validation and table cells of role bindings and cluster role bindings. */
import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { dnsSubdomain, pathSegment } from '../../../schema/names.js'
import { declareDefaults } from '../../../schema/schema.js'
import { type RoleRef, Subject } from './role-binding.js'

const groupName = 'rbac.authorization.k8s.io'

/** The common fields of both kinds of bindings. */
export interface RoleBindingParts {
  readonly roleRef: RoleRef
  readonly subjects?: readonly Subject[]
}

/** The API group of a subject may be omitted: it follows from the kind. */
export const subjectDefaults = declareDefaults<Subject>(Subject, (subject) => {
  if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = groupName
})

/** Sets the default API group of a role reference in a binding. */
export function setRoleRefDefaults(binding: { roleRef: Draft<RoleRef> }): void {
  if (!binding.roleRef.apiGroup) binding.roleRef.apiGroup = groupName
}

export interface BindingScope {
  readonly namespaced: boolean
  /** The kinds of roles that it can bind. */
  readonly kinds: readonly string[]
}

export function validateBinding(binding: RoleBindingParts, scope: BindingScope): readonly field.FieldError[] {
  const subjects = fieldPath('subjects')
  return [
    ...validateRoleRef(binding.roleRef, scope.kinds),
    ...(binding.subjects ?? []).flatMap((subject, i) => validateSubject(subject, subjects.index(i), scope)),
  ]
}

/** The role of a binding is immutable, because authorization was checked for that role. */
export function validateBindingUpdate(
  binding: RoleBindingParts,
  old: RoleBindingParts,
  scope: BindingScope,
): readonly field.FieldError[] {
  const errors = validateBinding(binding, scope)
  if (sameRole(binding.roleRef, old.roleRef)) return errors
  const { apiGroup, kind, name } = binding.roleRef
  const shown = { APIGroup: apiGroup, Kind: kind, Name: name }
  return [...errors, field.invalid(fieldPath('roleRef'), shown, 'cannot change roleRef')]
}

function sameRole(one: RoleRef, other: RoleRef): boolean {
  return one.apiGroup === other.apiGroup && one.kind === other.kind && one.name === other.name
}

function validateRoleRef({ apiGroup = '', kind, name }: RoleRef, kinds: readonly string[]): field.FieldError[] {
  const path = fieldPath('roleRef')
  const errors: field.FieldError[] = []
  if (apiGroup !== groupName) errors.push(field.notSupported(path.child('apiGroup'), apiGroup, [groupName]))
  if (!kinds.includes(kind)) errors.push(field.notSupported(path.child('kind'), kind, kinds))
  if (name === '') errors.push(field.required(path.child('name')))
  else errors.push(...field.invalidForEach(path.child('name'), name, pathSegment(name)))
  return errors
}

const subjectKinds = ['ServiceAccount', 'User', 'Group']

function validateSubject(subject: Subject, path: FieldPath, { namespaced }: BindingScope): field.FieldError[] {
  const { kind, name, apiGroup = '', namespace = '' } = subject
  const errors: field.FieldError[] = []
  if (name === '') errors.push(field.required(path.child('name')))
  if (kind === 'ServiceAccount') {
    if (name !== '') errors.push(...field.invalidForEach(path.child('name'), name, dnsSubdomain(name)))
    if (apiGroup !== '') errors.push(field.notSupported(path.child('apiGroup'), apiGroup, ['']))
    if (!namespaced && namespace === '') errors.push(field.required(path.child('namespace')))
  } else if (!subjectKinds.includes(kind)) {
    errors.push(field.notSupported(path.child('kind'), kind, subjectKinds))
  } else if (apiGroup !== groupName) {
    errors.push(field.notSupported(path.child('apiGroup'), apiGroup, [groupName]))
  }
  return errors
}

/** The cells of a binding's table, by the name of their column. */
export const bindingCells = {
  Role: ({ roleRef }: RoleBindingParts) => `${roleRef.kind}/${roleRef.name}`,
  Users: (binding: RoleBindingParts) => namesOf(binding, 'User'),
  Groups: (binding: RoleBindingParts) => namesOf(binding, 'Group'),
  ServiceAccounts: (binding: RoleBindingParts) => namesOf(binding, 'ServiceAccount'),
}

function namesOf({ subjects }: RoleBindingParts, kind: string): string {
  const named = (subjects ?? []).filter((subject) => subject.kind === kind)
  const names = named.map(({ name, namespace = '' }) => (kind === 'ServiceAccount' ? `${namespace}/${name}` : name))
  return names.join(', ')
}
