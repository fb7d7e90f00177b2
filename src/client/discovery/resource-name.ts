/** What a name of a resource or kind can mean. */
export interface PartialName {
  readonly name: string
  /** '' where it is not told. */
  readonly group: string
  /** '' where it is not told. */
  readonly version: string
}

/** `deployments.v1.apps` may be of a group and version, or of a group `v1.apps`: the former comes first. */
export function readings(argument: string): readonly PartialName[] {
  const [name = '', ...rest] = argument.split('.')
  const loose = { name, group: rest.join('.'), version: '' }
  if (rest.length < 2) return [loose]
  return [{ name, group: rest.slice(1).join('.'), version: rest[0]! }, loose]
}

/** `apps/v1, Resource=deployments`: how the original tells of what is only partly known. */
export function describeResource({ group, version, name }: PartialName): string {
  return `${group}/${version}, Resource=${name}`
}

export function describeKind({ group, version, name }: PartialName): string {
  return `${group}/${version}, Kind=${name}`
}
