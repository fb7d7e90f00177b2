import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import type { Variable } from '../parameters.js'

/** What an expression stands for, which decides what it must evaluate to and what it may speak of. */
export type ExpressionUse =
  | 'match condition'
  | 'variable'
  | 'validation'
  | 'message'
  | 'audit annotation'
  | 'apply configuration'
  | 'json patch'

export interface ExpressionContext {
  readonly use: ExpressionUse
  /** Whether `params` is there. */
  readonly hasParams: boolean
  /** The variables that can be used, in the order in which they were declared. */
  readonly variables: readonly Variable[]
  /** What is shown where the expression is wrong, if not the expression. */
  readonly shown?: string
}

/**
 * What is wrong with an expression: it does not compile, or evaluates to the wrong type, or costs too much. This is the one place
 * from which policies and webhooks look at their expressions; until the language is there, every expression is good.
 */
export function validateExpression(
  _expression: string,
  _path: FieldPath,
  _context: ExpressionContext,
): readonly FieldError[] {
  return field.none
}
