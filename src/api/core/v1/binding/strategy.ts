import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { Binding } from '../binding.js'

/** A binding is never stored: it sets the node of the pod with the same name. */
export const bindingStrategy = declareStrategy<Binding>(Binding, { validate: validateBinding })

/** The target of a binding must be a node. */
export function* validateBinding({ target: { kind = '', name = '' } }: Binding): Iterable<field.FieldError> {
  const path = fieldPath('target')
  if (kind !== '' && kind !== 'Node') yield field.notSupported(path.child('kind'), kind, ['Node', '<empty>'])
  if (name === '') yield field.required(path.child('name'))
}
