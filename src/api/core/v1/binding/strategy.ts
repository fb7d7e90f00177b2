import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { Binding } from '../binding.js'

/** A binding is never stored: it changes the pod whose name it has. */
export const bindingStrategy = declareStrategy<Binding>(Binding, { validate: validateBinding })

/** Pods go to nodes. */
export function* validateBinding({ target: { kind = '', name = '' } }: Binding): Iterable<field.FieldError> {
  const path = fieldPath('target')
  if (kind !== '' && kind !== 'Node') yield field.notSupported(path.child('kind'), kind, ['Node', '<empty>'])
  if (name === '') yield field.required(path.child('name'))
}
