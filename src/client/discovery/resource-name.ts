/** A resource or kind as a user names it. */
export interface PartialName {
  readonly name: string
  /** '' if not given. */
  readonly group: string
  /** '' if not given. */
  readonly version: string
}

/** Returns the possible meanings of a name, the likeliest first: `deployments.v1.apps` has a group and version, or the group `v1.apps`. */
export function readings(argument: string): readonly PartialName[] {
  const [name = '', ...rest] = argument.split('.')
  const loose = { name, group: rest.join('.'), version: '' }
  if (rest.length < 2) return [loose]
  return [{ name, group: rest.slice(1).join('.'), version: rest[0]! }, loose]
}

/** `apps/v1, Resource=deployments`: upstream's form in error messages. */
export function describeResource({ group, version, name }: PartialName): string {
  return `${group}/${version}, Resource=${name}`
}

export function describeKind({ group, version, name }: PartialName): string {
  return `${group}/${version}, Kind=${name}`
}
