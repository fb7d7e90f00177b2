import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import type { Variable } from '../parameters.js'

/** The use of an expression, which determines its result type and variables. */
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
  /** Whether the variable `params` exists. */
  readonly hasParams: boolean
  /** The variables that can be used, in the order in which they were declared. */
  readonly variables: readonly Variable[]
  /** The value in errors, if not the expression itself. */
  readonly shown?: string
}

/**
 * Validates a CEL expression: type and cost. Policies and webhooks call it for all of their expressions. For now it accepts every expression.
 */
export function validateExpression(
  _expression: string,
  _path: FieldPath,
  _context: ExpressionContext,
): readonly FieldError[] {
  return field.none
}
