import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { isSame } from '../../../validation/immutability.js'
import type { NodeSelectorRequirement, NodeSelectorTerm } from '../affinity/node-selector.js'
import type { PodSpec } from './spec.js'

/**
 * The scheduler has not considered a pod with scheduling gates yet. So an update may restrict the nodes on which it can run, but not
 * extend them.
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

/** Terms are alternatives, so no term may be added. Requirements within a term are conditions, so they may be added. */
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

/** An empty term matches no node, so adding a requirement to it would extend the nodes. */
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

/** With the field names of upstream's internal type, for messages. */
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

/** The placement fields of the old pod, except for pod affinity, which may not change. */
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
