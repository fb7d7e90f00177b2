import { ipAddress } from '../../../schema/addresses.js'
import * as field from '../../../schema/field-errors.js'
import { FieldPath, fieldPath } from '../../../schema/field-path.js'
import { dnsSubdomain, pathSegment } from '../../../schema/names.js'
import { rules } from '../../../schema/rules.js'
import { strategy } from '../../../schema/strategy.js'
import { immutable } from '../../metadata/object-metadata.js'
import { IPAddress, type ParentReference } from './ip-address.js'

export const ipAddressRules = rules<IPAddress>(IPAddress, {
  cells: { ParentRef: ({ spec: { parentRef } }) => (parentRef ? parentText(parentRef) : '<none>') },
})

function parentText({ group = '', resource = '', namespace = '', name = '' }: ParentReference): string {
  const kind = group === '' ? resource : `${resource}.${group}`
  return [kind.toLowerCase(), ...(namespace === '' ? [] : [namespace]), name].join('/')
}

export const ipAddressStrategy = strategy<IPAddress>(IPAddress, {
  /** The name is the address, written in the one right way; it cannot be generated. */
  name: (name) => ipAddress(FieldPath.none, name, 'canonical').map(({ detail }) => detail),
  validate: validateIpAddress,
  *validateUpdate(address, old) {
    yield* validateIpAddress(address)
    if (!sameParent(address.spec.parentRef, old.spec.parentRef))
      yield field.invalid(parentPath, shownParent(address.spec.parentRef), immutable)
  },
})

const parentPath = fieldPath('spec', 'parentRef')

function* validateIpAddress({ spec: { parentRef } }: IPAddress): Iterable<field.FieldError> {
  if (parentRef) yield* validateParent(parentRef)
  else yield field.required(parentPath)
}

function* validateParent({ group = '', resource, namespace = '', name }: ParentReference): Iterable<field.FieldError> {
  if (group !== '') yield* field.invalidForEach(parentPath.child('group'), group, dnsSubdomain(group))
  yield* validateSegment('resource', resource)
  yield* validateSegment('name', name)
  if (namespace !== '') yield* validateSegment('namespace', namespace)
}

function validateSegment(part: keyof ParentReference, text = ''): readonly field.FieldError[] {
  const path = parentPath.child(part)
  return text === '' ? [field.required(path)] : field.invalidForEach(path, text, pathSegment(text))
}

function sameParent(left: ParentReference | undefined, right: ParentReference | undefined): boolean {
  return JSON.stringify(shownParent(left)) === JSON.stringify(shownParent(right))
}

/** With the names that clients are used to see. */
function shownParent(parent: ParentReference | undefined): object | null {
  if (!parent) return null
  const { group = '', resource = '', namespace = '', name = '' } = parent
  return { Group: group, Resource: resource, Namespace: namespace, Name: name }
}
