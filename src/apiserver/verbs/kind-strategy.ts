import { invalid } from '../../api/errors.js'
import type { KubeObject, UntypedObject } from '../../api/kube-object.js'
import { validateQualifiedFinalizers } from '../../api/metadata/finalizers.js'
import { isInitialized } from '../../api/metadata/initializers.js'
import { subdomainName } from '../../api/metadata/name-validation.js'
import { type MetadataRules, validateMetadata, validateMetadataUpdate } from '../../api/metadata/object-metadata.js'
import { distinctOwnerReferences, duplicateOwnersWarning } from '../../api/metadata/owner-references.js'
import { canonicalObject } from '../../schema/encode.js'
import type { FieldError } from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import type { Draft } from '../../schema/infer.js'
import { sameJson } from '../../schema/json-value.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { RegistryStrategy, StrategyContext, SubresourceStrategy } from '../../schema/strategy.js'
import type { ServedResource } from '../registry/served-resource.js'

// Applies the strategy that a kind declares, and the defaults where it declares nothing. Objects are in their storage version.

type AnyDraft = Draft<KubeObject>
type AnyStrategy = RegistryStrategy<KubeObject>
type DraftWithStatus = AnyDraft & { status?: unknown }

/** A kind declares its strategy for its own type. Its functions are only called with objects of that kind. */
export function strategyOf(type: ServedKind): AnyStrategy {
  return type.strategy as unknown as AnyStrategy
}

function hasStatus({ kind }: ServedKind): boolean {
  return kind.resource?.subresources.status !== undefined
}

/** What the strategy of a resource depends on. */
export type StrategyResource = Pick<ServedResource, 'type' | 'stored' | 'isView' | 'fromStored'>

/** An object as it would be stored, and its validation errors. */
export interface StrategyResult {
  readonly object: KubeObject
  readonly errors: readonly FieldError[]
}

/** Prepares a new object for the store. Throws if it is invalid. */
export function validNewObject(resource: StrategyResource, draft: AnyDraft, context: StrategyContext): KubeObject {
  return orThrowInvalid(resource.stored, applyCreateStrategy(resource, draft, context))
}

export function applyCreateStrategy(
  resource: StrategyResource,
  draft: AnyDraft,
  context: StrategyContext,
): StrategyResult {
  const { stored: type } = resource
  const { prepareCreate, intent } = strategyOf(type)
  if (intent) draft.metadata.generation = 1
  if (prepareCreate) prepareCreate(draft, context)
  else if (hasStatus(type)) delete (draft as DraftWithStatus).status
  const object = canonicalObject(type, draft) as KubeObject
  const errors = [
    ...validateMetadata(object.metadata, metadataRulesOf(validatingVersion(resource).type)),
    ...createErrors(resource, object, context),
  ]
  return { object, errors }
}

/** The version whose validation applies. A version that is not stored may validate more strictly: then it validates what its clients see. */
function validatingVersion(resource: StrategyResource): {
  readonly type: ServedKind
  readonly view: (object: KubeObject) => KubeObject
} {
  const { type, stored } = resource
  if (type === stored || resource.isView || !type.strategy.validate) return { type: stored, view: (object) => object }
  return { type, view: (object) => resource.fromStored(object) }
}

function createErrors(resource: StrategyResource, object: KubeObject, context: StrategyContext): Iterable<FieldError> {
  const { type, view } = validatingVersion(resource)
  return strategyOf(type).validate?.(view(object), context) ?? []
}

/** Prepares an object that replaces `old`, as a whole or through a subresource. Throws if it is invalid. */
export function validUpdatedObject(
  resource: StrategyResource,
  draft: AnyDraft,
  old: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): KubeObject {
  return orThrowInvalid(resource.stored, applyUpdateStrategy(resource, draft, old, context))
}

export function applyUpdateStrategy(
  resource: StrategyResource,
  draft: AnyDraft,
  old: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): StrategyResult {
  const { stored: type } = resource
  draft.metadata.generation = old.metadata.generation
  prepareUpdate(type, draft, old, context)
  const prepared = canonicalObject(type, draft) as KubeObject
  const object = context.subresource === 'status' ? prepared : withGeneration(type, prepared, old)
  // No client has seen an object that is not initialized: its initializers may change immutable fields.
  const kindErrors =
    isInitialized(old) || context.subresource !== ''
      ? updateErrors(validatingVersion(resource), object, old, context)
      : createErrors(resource, object, context)
  return { object, errors: [...metadataErrors(type, object, old), ...kindErrors] }
}

function prepareUpdate(
  type: ServedKind,
  draft: AnyDraft,
  old: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): void {
  const { subresource } = context
  const prepare =
    subresource === '' ? strategyOf(type).prepareUpdate : subresourceStrategy(type, subresource).prepareUpdate
  if (prepare) prepare(draft, old, context)
  else if (subresource === '') {
    if (hasStatus(type)) (draft as DraftWithStatus).status = (old as UntypedObject).status
  } else restoreAllBut(['metadata', subresource], draft as Draft<UntypedObject>, old as UntypedObject)
}

/** By default a subresource may change the field that it is named after. */
function restoreAllBut(fields: readonly string[], draft: Draft<UntypedObject>, old: UntypedObject): void {
  for (const key of Object.keys(draft)) if (!fields.includes(key)) delete draft[key]
  for (const key of Object.keys(old)) if (!fields.includes(key)) draft[key] = old[key]
}

function subresourceStrategy(type: ServedKind, subresource: string): SubresourceStrategy<KubeObject> {
  return strategyOf(type).subresources?.[subresource] ?? {}
}

/** Increments the generation if the intent of the object has changed. */
function withGeneration(type: ServedKind, object: KubeObject, old: KubeObject): KubeObject {
  const { intent } = strategyOf(type)
  if (!intent || sameJson(intent(object), intent(old))) return object
  const generation = (old.metadata.generation ?? 0) + 1
  const next = { ...object, metadata: { ...object.metadata, generation } }
  // A new field needs its canonical position.
  return object.metadata.generation === undefined ? (canonicalObject(type, next) as KubeObject) : next
}

/** Upstream validates the metadata twice, in the verb and in the kind: each error is reported twice, and clients expect that. */
function metadataErrors(type: ServedKind, object: KubeObject, old: KubeObject): readonly FieldError[] {
  const { qualifiedFinalizers } = metadataRulesOf(type)
  const verbErrors = validateMetadataUpdate(object.metadata, old.metadata, { qualifiedFinalizers: false })
  const kindErrors = qualifiedFinalizers ? validateQualifiedFinalizers(object.metadata.finalizers, finalizersPath) : []
  return verbErrors.length === 0 ? kindErrors : [...verbErrors, ...verbErrors, ...kindErrors]
}

const finalizersPath = fieldPath('metadata', 'finalizers')

function updateErrors(
  { type, view }: ReturnType<typeof validatingVersion>,
  newObject: KubeObject,
  oldObject: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): Iterable<FieldError> {
  const object = view(newObject)
  const old = view(oldObject)
  const { validate, validateUpdate } = strategyOf(type)
  const validateSubresource =
    context.subresource === '' ? undefined : subresourceStrategy(type, context.subresource).validateUpdate
  if (validateSubresource) return validateSubresource(object, old, context)
  if (validateUpdate) return validateUpdate(object, old, context)
  return validate?.(object, context) ?? []
}

function orThrowInvalid(type: ServedKind, { object, errors }: StrategyResult): KubeObject {
  if (errors.length === 0) return object
  const { group, kind } = type.kind
  throw invalid({ group, kind }, object.metadata.name ?? '', errors)
}

function metadataRulesOf(type: ServedKind): MetadataRules {
  return {
    namespaced: type.kind.resource.namespaced,
    name: strategyOf(type).name ?? subdomainName,
    qualifiedFinalizers: !type.strategy.plainFinalizers,
  }
}

export function strategyWarnings(
  type: ServedKind,
  object: KubeObject,
  old: KubeObject | undefined,
  subresource = '',
): readonly string[] {
  if (subresource === '') return strategyOf(type).warnings?.(object, old) ?? []
  return (old && subresourceStrategy(type, subresource).warnings?.(object, old)) ?? []
}

/** Removes duplicate owner references, with a warning for the client. */
export function removeDuplicateOwners(draft: AnyDraft, warn: (message: string) => void): void {
  const { ownerReferences } = draft.metadata
  if (!ownerReferences) return
  const { references, duplicates } = distinctOwnerReferences(ownerReferences)
  if (duplicates.length === 0) return
  draft.metadata.ownerReferences = [...references]
  warn(duplicateOwnersWarning(duplicates))
}
