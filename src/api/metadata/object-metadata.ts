import * as field from '../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../schema/field-path.js'
import { notNegative } from '../../schema/identifiers.js'
import type { ObjectMeta } from '../meta/v1/object-meta.js'
import { immutable } from '../validation/immutability.js'
import { validateAnnotations } from './annotations.js'
import { validateFinalizers, validateNoNewFinalizers, validateQualifiedFinalizers } from './finalizers.js'
import { validateInitializers, validateInitializersUpdate } from './initializers.js'
import { validateLabels } from './labels.js'
import { validateManagedFields } from './managed-fields.js'
import { labelName, type NameRule } from './name-validation.js'
import { validateOwnerReferences } from './owner-references.js'

/** Differences between the metadata of kinds. */
export interface MetadataRules {
  readonly namespaced: boolean
  readonly name: NameRule
  /** Whether finalizers need a domain: for built-in kinds, but not for custom resources. */
  readonly qualifiedFinalizers: boolean
}

const metadataPath = fieldPath('metadata')

/** Validates the metadata of a new object. A requested name must have been generated before. */
export function validateMetadata(
  metadata: ObjectMeta,
  rules: MetadataRules,
  path: FieldPath = metadataPath,
): readonly field.FieldError[] {
  const { generation = 0, initializers, finalizers, managedFields } = metadata
  return [
    ...validateName(metadata, rules, path),
    ...validateNamespace(metadata, rules, path.child('namespace')),
    ...(generation < 0 ? [field.invalid(path.child('generation'), generation, notNegative)] : field.none),
    ...validateCollections(metadata, path),
    ...(initializers ? validateInitializers(initializers, path.child('initializers')) : field.none),
    ...(finalizers ? validateFinalizers(finalizers, path.child('finalizers')) : field.none),
    ...(managedFields ? validateManagedFields(managedFields, path.child('managedFields')) : field.none),
    ...(rules.qualifiedFinalizers ? validateQualifiedFinalizers(finalizers, path.child('finalizers')) : field.none),
  ]
}

function validateName(metadata: ObjectMeta, rules: MetadataRules, path: FieldPath): readonly field.FieldError[] {
  const { name = '', generateName = '' } = metadata
  const ofName =
    name === ''
      ? [field.required(path.child('name'), 'name or generateName is required')]
      : field.invalidForEach(path.child('name'), name, rules.name(name, false))
  if (generateName === '') return ofName
  return [...field.invalidForEach(path.child('generateName'), generateName, rules.name(generateName, true)), ...ofName]
}

function validateNamespace(
  metadata: ObjectMeta,
  { namespaced }: MetadataRules,
  path: FieldPath,
): readonly field.FieldError[] {
  const { namespace = '' } = metadata
  if (!namespaced) return namespace === '' ? [] : [field.forbidden(path, 'not allowed on this type')]
  return namespace === '' ? [field.required(path)] : field.invalidForEach(path, namespace, labelName(namespace, false))
}

function validateCollections(metadata: ObjectMeta, path: FieldPath): readonly field.FieldError[] {
  const { labels, annotations, ownerReferences } = metadata
  return [
    ...(labels ? validateLabels(labels, path.child('labels')) : field.none),
    ...(annotations ? validateAnnotations(annotations, path.child('annotations')) : field.none),
    ...(ownerReferences ? validateOwnerReferences(ownerReferences, path.child('ownerReferences')) : field.none),
  ]
}

/** Validates the metadata of an object that replaces `old`. */
export function validateMetadataUpdate(
  metadata: ObjectMeta,
  old: ObjectMeta,
  rules: Pick<MetadataRules, 'qualifiedFinalizers'>,
  path: FieldPath = metadataPath,
): readonly field.FieldError[] {
  const { finalizers, managedFields } = metadata
  const at = path.child('finalizers')
  return [
    ...(old.deletionTimestamp ? validateNoNewFinalizers(finalizers, old.finalizers, at) : field.none),
    ...validateRevision(metadata, old, path),
    ...validateInitialization(metadata, old, path),
    ...validateFixedFields(metadata, old, path),
    ...validateCollections(metadata, path),
    ...(managedFields ? validateManagedFields(managedFields, path.child('managedFields')) : field.none),
    ...(rules.qualifiedFinalizers ? validateQualifiedFinalizers(finalizers, at) : field.none),
  ]
}

function validateInitialization(
  { initializers }: ObjectMeta,
  old: ObjectMeta,
  path: FieldPath,
): readonly field.FieldError[] {
  if (!initializers && !old.initializers) return field.none
  return validateInitializersUpdate(initializers, old.initializers, path.child('initializers'))
}

function validateRevision(metadata: ObjectMeta, old: ObjectMeta, path: FieldPath): readonly field.FieldError[] {
  const { resourceVersion = '', generation = 0 } = metadata
  const errors: field.FieldError[] = []
  if (resourceVersion === '')
    errors.push(field.invalid(path.child('resourceVersion'), '', 'must be specified for an update'))
  if (generation < (old.generation ?? 0))
    errors.push(field.invalid(path.child('generation'), generation, 'must not be decremented'))
  return errors
}

/** Immutable fields. Errors print absent ones as empty text or null. */
const fixedFields = [
  ['name', ''],
  ['namespace', ''],
  ['uid', ''],
  ['creationTimestamp', null],
  ['deletionTimestamp', null],
  ['deletionGracePeriodSeconds', null],
] as const satisfies readonly (readonly [keyof ObjectMeta, '' | null])[]

function validateFixedFields(metadata: ObjectMeta, old: ObjectMeta, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const [name, absent] of fixedFields) {
    const value = metadata[name] ?? absent
    if (value !== (old[name] ?? absent)) errors.push(field.invalid(path.child(name), value, immutable))
  }
  return errors
}
