import { invalid } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { subdomainName } from '../../api/metadata/name-rules.js'
import { type MetadataRules, validateMetadata, validateMetadataUpdate } from '../../api/metadata/object-metadata.js'
import { distinctOwnerReferences, duplicateOwnersWarning } from '../../api/metadata/owner-references.js'
import { canonical } from '../../schema/encode.js'
import type { FieldError } from '../../schema/field-errors.js'
import type { Draft } from '../../schema/infer.js'
import { sameJson } from '../../schema/json-value.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { Strategy, StrategyContext, SubresourceStrategy } from '../../schema/strategy.js'
import { validate } from '../../schema/validate.js'

/**
 * What a kind does to its objects on every write: the strategy that it declares, and what holds where it declares nothing. Objects
 * here are in the version in which they are stored.
 */
type AnyDraft = Draft<KubeObject>
type AnyStrategy = Strategy<KubeObject>

/** `T` of a strategy is known to the kind alone. */
function strategyOf(type: ServedKind): AnyStrategy {
  return type.strategy as unknown as AnyStrategy
}

function hasStatus({ kind }: ServedKind): boolean {
  return kind.resource?.subresources['status'] !== undefined
}

/** Makes a new object ready to be stored, and refuses it if it breaks a rule. */
export function acceptedNew(type: ServedKind, draft: AnyDraft, context: StrategyContext): KubeObject {
  const { prepareCreate, intent, validate: validateKind } = strategyOf(type)
  if (intent) draft.metadata.generation = 1
  if (prepareCreate) prepareCreate(draft, context)
  else if (hasStatus(type)) delete draft['status']
  const object = canonical(type, draft) as unknown as KubeObject
  refuseInvalid(type, object, [
    ...validateMetadata(object.metadata, metadataRules(type)),
    ...(validateKind ? validateKind(object, context) : validate(type, object)),
  ])
  return object
}

/** The same for an object that replaces `old`, as a whole or through a subresource. */
export function acceptedUpdate(
  type: ServedKind,
  draft: AnyDraft,
  old: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): KubeObject {
  const { subresource } = context
  draft.metadata.generation = old.metadata.generation as never
  prepareUpdate(type, draft, old, context)
  countGeneration(type, draft, old)
  const object = canonical(type, draft) as unknown as KubeObject
  refuseInvalid(type, object, [
    ...validateMetadataUpdate(object.metadata, old.metadata, metadataRules(type)),
    ...updateErrors(type, object, old, { ...context, subresource }),
  ])
  return object
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
    if (hasStatus(type)) draft['status'] = old['status'] as never
  } else keepAllBut(['metadata', subresource], draft, old)
}

/** A view may change the part that it is named after. */
function keepAllBut(fields: readonly string[], draft: AnyDraft, old: KubeObject): void {
  for (const key of Object.keys(draft)) if (!fields.includes(key)) delete draft[key]
  for (const key of Object.keys(old)) if (!fields.includes(key)) draft[key] = old[key] as never
}

function viewOf(type: ServedKind, subresource: string): SubresourceStrategy<KubeObject> {
  return strategyOf(type).subresources?.[subresource] ?? {}
}

function countGeneration(type: ServedKind, draft: AnyDraft, old: KubeObject): void {
  const { intent } = strategyOf(type)
  if (!intent) return
  const next = canonical(type, draft) as unknown as KubeObject
  if (!sameJson(intent(next) as never, intent(old) as never))
    draft.metadata.generation = ((old.metadata.generation ?? 0) + 1) as never
}

function updateErrors(
  type: ServedKind,
  object: KubeObject,
  old: KubeObject,
  context: StrategyContext & { readonly subresource: string },
): Iterable<FieldError> {
  const { validate: validateNew, validateUpdate } = strategyOf(type)
  const view = context.subresource === '' ? undefined : viewOf(type, context.subresource).validateUpdate
  if (view) return view(object, old, context)
  if (validateUpdate) return validateUpdate(object, old, context)
  return validateNew ? validateNew(object, context) : validate(type, object, old)
}

function refuseInvalid(type: ServedKind, object: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  const { group, kind } = type.kind
  throw invalid({ group, kind }, object.metadata.name ?? '', errors)
}

function metadataRules(type: ServedKind): MetadataRules {
  return {
    namespaced: type.kind.resource.namespaced,
    name: strategyOf(type).name ?? subdomainName,
    qualifiedFinalizers: true,
  }
}

export function warningsOf(
  type: ServedKind,
  object: KubeObject,
  old: KubeObject | undefined,
  subresource = '',
): readonly string[] {
  if (subresource === '') return strategyOf(type).warnings?.(object, old) ?? []
  return (old && viewOf(type, subresource).warnings?.(object, old)) ?? []
}

/** Owners that were named twice are named once, and the client is told. */
export function withDistinctOwners(draft: AnyDraft, warn: (message: string) => void): void {
  const { ownerReferences } = draft.metadata
  if (!ownerReferences) return
  const { references, duplicates } = distinctOwnerReferences(ownerReferences)
  if (duplicates.length === 0) return
  draft.metadata.ownerReferences = references as never
  warn(duplicateOwnersWarning(duplicates))
}
