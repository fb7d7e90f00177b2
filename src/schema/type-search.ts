import type { LinkedType, ObjectType } from './model.js'

/**
 * Whether a value of the type can contain, at any depth, an object for which `interests` is true. Callers skip subtrees that cannot,
 * which are most of every object.
 */
export function containsType(type: LinkedType, interests: (object: ObjectType) => boolean): boolean {
  return search(type, interests, new Set())
}

function search(type: LinkedType, interests: (object: ObjectType) => boolean, visited: Set<ObjectType>): boolean {
  if (type.is === 'list' || type.is === 'map') return search(type.of, interests, visited)
  if (type.is !== 'object' || visited.has(type.object)) return false
  visited.add(type.object)
  return interests(type.object) || type.object.fields.some((field) => search(field.type, interests, visited))
}
