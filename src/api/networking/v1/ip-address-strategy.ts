import * as field from '../../../schema/field-errors.js'
import { FieldPath, fieldPath } from '../../../schema/field-path.js'
import { dnsSubdomain } from '../../../schema/names.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { ipAddress } from '../../../schema/values/addresses.js'
import { immutable, isSame } from '../../validation/immutability.js'
import { validatePathSegment } from '../../validation/paths.js'
import { IPAddress, type ParentReference } from './ip-address.js'

export const ipAddressTable = declareTable<IPAddress>(IPAddress, {
  ParentRef: ({ spec: { parentRef } }) => (parentRef ? parentText(parentRef) : '<none>'),
})

function parentText({ group = '', resource = '', namespace = '', name = '' }: ParentReference): string {
  const kind = group === '' ? resource : `${resource}.${group}`
  return [kind.toLowerCase(), ...(namespace === '' ? [] : [namespace]), name].join('/')
}

export const ipAddressStrategy = declareStrategy<IPAddress>(IPAddress, {
  /** The name is the address in canonical form; it cannot be generated. */
  name: (name) => ipAddress(FieldPath.none, name, 'canonical').map(({ detail }) => detail),
  validate: validateIpAddress,
  *validateUpdate(address, old) {
    yield* validateIpAddress(address)
    if (!isSame(address.spec.parentRef, old.spec.parentRef))
      yield field.invalid(parentPath, shownParent(address.spec.parentRef), immutable)
  },
})

const parentPath = fieldPath('spec', 'parentRef')

function* validateIpAddress({ spec: { parentRef } }: IPAddress): Iterable<field.FieldError> {
  if (parentRef) yield* validateParent(parentRef)
  else yield field.required(parentPath)
}

function* validateParent({
  group = '',
  resource = '',
  namespace = '',
  name = '',
}: ParentReference): Iterable<field.FieldError> {
  if (group !== '') yield* field.invalidForEach(parentPath.child('group'), group, dnsSubdomain(group))
  yield* validatePathSegment(resource, parentPath.child('resource'))
  yield* validatePathSegment(name, parentPath.child('name'))
  if (namespace !== '') yield* validatePathSegment(namespace, parentPath.child('namespace'))
}

/** With the field names of upstream's messages. */
function shownParent(parent: ParentReference | undefined): object | null {
  if (!parent) return null
  const { group = '', resource = '', namespace = '', name = '' } = parent
  return { Group: group, Resource: resource, Namespace: namespace, Name: name }
}
