import { invalid } from '../../api/errors.js'
import type { KubeObject, UntypedObject } from '../../api/kube-object.js'
import { validateQualifiedFinalizers } from '../../api/metadata/finalizers.js'
import { isInitialized } from '../../api/metadata/initializers.js'
import { subdomainName } from '../../api/metadata/name-validation.js'
import { type MetadataRules, validateMetadata, validateMetadataUpdate } from '../../api/metadata/object-metadata.js'
import { distinctOwnerReferences, duplicateOwnersWarning } from '../../api/metadata/owner-references.js'
import { canonical } from '../../schema/encode.js'
import type { FieldError } from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import type { Draft } from '../../schema/infer.js'
import { sameJson } from '../../schema/json-value.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { RegistryStrategy, StrategyContext, SubresourceStrategy } from '../../schema/strategy.js'
import type { ServedResource } from '../registry/served-resource.js'

/**
 * What a kind does to its objects on every write: the strategy that it declares, and what holds where it declares nothing. Objects
 * here are in the version in which they are stored.
 */
type AnyDraft = Draft<KubeObject>
type AnyStrategy = RegistryStrategy<KubeObject>
type DraftWithStatus = AnyDraft & { status?: unknown }

/** `T` of a strategy is known to the kind alone. */
export function strategyOf(type: ServedKind): AnyStrategy {
  return type.strategy as unknown as AnyStrategy
}

function hasStatus({ kind }: ServedKind): boolean {
  return kind.resource?.subresources.status !== undefined
}

/** Of a resource, the versions whose rules hold. */
export type StrategyResource = Pick<ServedResource, 'type' | 'stored' | 'isView' | 'fromStored'>

/** An object as it would be stored, and all that is wrong with it. */
export interface StrategyResult {
  readonly object: KubeObject
  readonly errors: readonly FieldError[]
}

/** Makes a new object ready to be stored, and refuses it if it breaks a rule. */
export function validNewObject(resource: StrategyResource, draft: AnyDraft, context: StrategyContext): KubeObject {
  return accepted(resource.stored, applyCreateStrategy(resource, draft, context))
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
  const object = canonical(type, draft) as KubeObject
  const errors = [
    ...validateMetadata(object.metadata, metadataRules(ruledBy(resource).type)),
    ...createErrors(resource, object, context),
  ]
  return { object, errors }
}

/** A version in which objects are not kept may have stricter rules: then these hold, for what its clients see. */
function ruledBy(resource: StrategyResource): {
  readonly type: ServedKind
  readonly view: (object: KubeObject) => KubeObject
} {
  const { type, stored } = resource
  if (type === stored || resource.isView || !type.strategy.validate) return { type: stored, view: (object) => object }
  return { type, view: (object) => resource.fromStored(object) }
}

function createErrors(resource: StrategyResource, object: KubeObject, context: StrategyContext): Iterable<FieldError> {
  const { type, view } = ruledBy(resource)
  return strategyOf(type).validate?.(view(object), context) ?? []
}

/** The same for an object that replaces `old`, as a whole or through a subresource. */
export function validUpdatedObject(
  resource: StrategyResource,
  draft: AnyDraft,
  old: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): KubeObject {
  return accepted(resource.stored, applyUpdateStrategy(resource, draft, old, context))
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
  const prepared = canonical(type, draft) as KubeObject
  const object = context.subresource === 'status' ? prepared : withGeneration(type, prepared, old)
  // Nobody has seen an object that is not initialized: whoever completes it may change what is fixed from then on.
  const ofKind =
    isInitialized(old) || context.subresource !== ''
      ? updateErrors(ruledBy(resource), object, old, context)
      : createErrors(resource, object, context)
  return { object, errors: [...metadataErrors(type, object, old), ...ofKind] }
}

function prepareUpdate(
  type: ServedKind,
  draft: AnyDraft,
  old: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): void {
  const { subresource } = context
  const prepare = subresource === '' ? strategyOf(type).prepareUpdate : viewOf(type, subresource).prepareUpdate
  if (prepare) prepare(draft, old, context)
  else if (subresource === '') {
    if (hasStatus(type)) (draft as DraftWithStatus).status = (old as UntypedObject).status
  } else keepAllBut(['metadata', subresource], draft as Draft<UntypedObject>, old as UntypedObject)
}

/** A view may change the part that it is named after. */
function keepAllBut(fields: readonly string[], draft: Draft<UntypedObject>, old: UntypedObject): void {
  for (const key of Object.keys(draft)) if (!fields.includes(key)) delete draft[key]
  for (const key of Object.keys(old)) if (!fields.includes(key)) draft[key] = old[key]
}

function viewOf(type: ServedKind, subresource: string): SubresourceStrategy<KubeObject> {
  return strategyOf(type).subresources?.[subresource] ?? {}
}

/** The object, whose generation is still that of the old one, with the next one if it is meant otherwise. */
function withGeneration(type: ServedKind, object: KubeObject, old: KubeObject): KubeObject {
  const { intent } = strategyOf(type)
  if (!intent || sameJson(intent(object), intent(old))) return object
  const generation = (old.metadata.generation ?? 0) + 1
  const next = { ...object, metadata: { ...object.metadata, generation } }
  // A field that was not there must find its place among the others.
  return object.metadata.generation === undefined ? (canonical(type, next) as KubeObject) : next
}

/** The verb looks at the metadata, and then the kind does: what is wrong there is a cause twice over, and clients count on it. */
function metadataErrors(type: ServedKind, object: KubeObject, old: KubeObject): readonly FieldError[] {
  const { qualifiedFinalizers } = metadataRules(type)
  const ofVerb = validateMetadataUpdate(object.metadata, old.metadata, { qualifiedFinalizers: false })
  const ofKind = qualifiedFinalizers ? validateQualifiedFinalizers(object.metadata.finalizers, finalizersPath) : []
  return ofVerb.length === 0 ? ofKind : [...ofVerb, ...ofVerb, ...ofKind]
}

const finalizersPath = fieldPath('metadata', 'finalizers')

function updateErrors(
  { type, view }: ReturnType<typeof ruledBy>,
  given: KubeObject,
  replaced: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): Iterable<FieldError> {
  const object = view(given)
  const old = view(replaced)
  const { validate, validateUpdate } = strategyOf(type)
  const through = context.subresource === '' ? undefined : viewOf(type, context.subresource).validateUpdate
  if (through) return through(object, old, context)
  if (validateUpdate) return validateUpdate(object, old, context)
  return validate?.(object, context) ?? []
}

function accepted(type: ServedKind, { object, errors }: StrategyResult): KubeObject {
  if (errors.length === 0) return object
  const { group, kind } = type.kind
  throw invalid({ group, kind }, object.metadata.name ?? '', errors)
}

function metadataRules(type: ServedKind): MetadataRules {
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
  return (old && viewOf(type, subresource).warnings?.(object, old)) ?? []
}

/** Owners that were named twice are named once, and the client is told. */
export function removeDuplicateOwners(draft: AnyDraft, warn: (message: string) => void): void {
  const { ownerReferences } = draft.metadata
  if (!ownerReferences) return
  const { references, duplicates } = distinctOwnerReferences(ownerReferences)
  if (duplicates.length === 0) return
  draft.metadata.ownerReferences = [...references]
  warn(duplicateOwnersWarning(duplicates))
}
