import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { isSame } from '../../../validation/immutability.js'
import type { NodeSelectorRequirement, NodeSelectorTerm } from '../affinity/node-selector.js'
import type { PodSpec } from './spec.js'

/**
 * A pod that is held back by scheduling gates has not been looked at by the scheduler: whoever holds it may still narrow down the
 * nodes that it can run on, but never widen them.
 */

export function validatePlacementUpdate(spec: PodSpec, old: PodSpec, path: FieldPath): readonly field.FieldError[] {
  return [
    ...validateSelectorUpdate(spec.nodeSelector, old.nodeSelector, path.child('nodeSelector')),
    ...validateTermsUpdate(
      termsOf(spec) ?? [],
      termsOf(old) ?? [],
      path.child('affinity', 'nodeAffinity', requiredName, 'nodeSelectorTerms'),
    ),
  ]
}

const requiredName = 'requiredDuringSchedulingIgnoredDuringExecution'

function termsOf({ affinity }: PodSpec): readonly NodeSelectorTerm[] | undefined {
  return affinity?.nodeAffinity?.[requiredName]?.nodeSelectorTerms
}

function validateSelectorUpdate(
  selector: PodSpec['nodeSelector'] = {},
  old: PodSpec['nodeSelector'] = {},
  path: FieldPath,
): readonly field.FieldError[] {
  const isKept = Object.keys(old).every((key) => selector[key] === old[key])
  if (isKept) return field.none
  return [field.invalid(path, selector, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)')]
}

/** Any one term is enough, so that another term would be another way; what is added inside of a term is one more condition. */
function validateTermsUpdate(
  terms: readonly NodeSelectorTerm[],
  old: readonly NodeSelectorTerm[],
  path: FieldPath,
): readonly field.FieldError[] {
  if (old.length === 0) return field.none
  if (terms.length !== old.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
    return [field.invalid(path, terms.map(shown), why)]
  }
  return terms.flatMap((term, i) =>
    hasOnlyAdditions(term, old[i]!)
      ? []
      : [field.invalid(path.index(i), shown(term), 'only additions are allowed (no mutations or deletions)')],
  )
}

/** A term without conditions fits no node; with one it would fit some. */
function hasOnlyAdditions(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const wasEmpty = !old.matchExpressions?.length && !old.matchFields?.length
  if (wasEmpty) return !term.matchExpressions?.length && !term.matchFields?.length
  return beginsWith(term.matchExpressions, old.matchExpressions) && beginsWith(term.matchFields, old.matchFields)
}

function beginsWith(
  list: readonly NodeSelectorRequirement[] = [],
  start: readonly NodeSelectorRequirement[] = [],
): boolean {
  return isSame(list.slice(0, start.length), start)
}

/** As the original shows it: with the names of its own structure. */
function shown({ matchExpressions, matchFields }: NodeSelectorTerm): object {
  const requirement = ({ key, operator, values }: NodeSelectorRequirement) => ({
    Key: key,
    Operator: operator,
    Values: values ?? null,
  })
  return {
    MatchExpressions: matchExpressions?.map(requirement) ?? null,
    MatchFields: matchFields?.map(requirement) ?? null,
  }
}

/** Where the old pod could run, in place of where the new one can; the affinity to other pods stays, because it may not change. */
export function frozenPlacement(spec: PodSpec, old: PodSpec): Pick<PodSpec, 'nodeSelector' | 'affinity'> {
  const { nodeAffinity: _, ...others } = spec.affinity ?? {}
  const nodeAffinity = old.affinity?.nodeAffinity
  const affinity = nodeAffinity ? { ...others, nodeAffinity } : others
  const isNothing = Object.keys(affinity).length === 0 && old.affinity === undefined
  return {
    nodeSelector: old.nodeSelector,
    affinity: isNothing ? undefined : affinity,
  } as Pick<PodSpec, 'nodeSelector' | 'affinity'>
}
